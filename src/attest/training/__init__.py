"""Train one model under a protocol: settings in, one record out."""
