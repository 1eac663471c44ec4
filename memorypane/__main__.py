"""`python -m memorypane` is the same program as the installed command."""

import sys

from memorypane.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
