"""`python -m remember_me` is the command `remember-me`."""

import sys

from remember_me.cli.main import main

sys.exit(main())
