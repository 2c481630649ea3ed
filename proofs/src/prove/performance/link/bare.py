"""The minimal work of a bot: read lines, parse them, write a fixed answer."""

import json
import os

rest = b""
while True:
    block = os.read(0, 1 << 18)
    if not block:
        break
    *lines, rest = (rest + block).split(b"\n")
    answers = []
    for line in lines:
        message = json.loads(line)
        answers.append('{"id":%d,"keep":[0,1]}\n' % message["id"])
    if answers:
        os.write(1, "".join(answers).encode())
