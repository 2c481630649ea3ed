"""`python -m dicehill`: the command `dicehill` that is installed with the package."""

import os
import shutil
import sys
import sysconfig


def main() -> None:
    name = "dicehill"
    installed = os.path.join(sysconfig.get_path("scripts"), name)
    program = installed if os.path.exists(installed) else shutil.which(name)
    if program is None:
        sys.exit(f"error: no command `{name}` in {os.path.dirname(installed)} or PATH: reinstall the package")
    os.execv(program, [name, *sys.argv[1:]])


main()
