"""The commands of `attest`: a module for each."""
