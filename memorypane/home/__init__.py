"""Where things lie on disk: paths, tokens, settings, endpoint files; standard library only."""
