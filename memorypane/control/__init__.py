"""The client side of a running server: find it, start it, talk to its control channel; standard library only."""
