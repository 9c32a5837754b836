"""`remember-me` with the commands of `sample_commands` in place of its own."""

import sys

from remember_me.cli import commands, main
from tests.cli.sample_commands import TABLE

commands.COMMANDS = TABLE
if __name__ == "__main__":
    sys.exit(main.main())
