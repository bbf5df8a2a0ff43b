"""Changes to Hydra: importing these modules replaces functions of Hydra, for compositions from conf/ alone."""
