#!/usr/bin/env python3
"""Types a command line and a tab into an interactive zsh and looks whether it is completed.

usage: complete_zsh.py TYPED WANTED     in a folder that holds zsh.completion; exit status 1 when WANTED does not appear
"""
import os
import pty
import select
import sys
import time

SECONDS = 60
SETUP = (b"mkdir -p fn; cp zsh.completion fn/_teemap; fpath=($PWD/fn $fpath)\n"
         b"autoload -U compinit; compinit -u -D; echo rea''dy\n")


def read_until(terminal, wanted):
    got, end = b"", time.monotonic() + SECONDS
    while wanted not in got and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                got += os.read(terminal, 4096)
            except OSError:
                break
    return got


def main():
    typed, wanted = (word.encode() for word in sys.argv[1:])
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM="dumb", PS1="> ", HOME=os.getcwd())
        os.execvp("zsh", ["zsh", "-f", "-i"])
    os.write(terminal, SETUP)
    read_until(terminal, b"ready\r\n")
    os.write(terminal, typed + b"\t")
    got = read_until(terminal, wanted)
    os.close(terminal)
    os.waitpid(child, 0)
    if wanted not in got:
        print(got.decode(errors="replace"), file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
