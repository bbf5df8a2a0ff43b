"""Random search over hyper-parameters."""
