"""The command line for `python -m attest.cli`."""

import sys

from attest.cli import main

sys.exit(main())
