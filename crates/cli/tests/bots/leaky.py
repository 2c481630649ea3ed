"""A Yahtzee bot that writes its secret where an accident would, as several libraries write it.

`leaky.py HOW COUNT`: the form of its answers, a key of `ANSWERS`, after this number of legal ones. All forms go to its log.
"""

import json
import os
import sys

KEY = os.environ["LEAKY_TEST_KEY"]
TEXT = json.dumps(KEY)
FORMS = {
    "plain": TEXT,
    "gson": TEXT.replace("=", "\\u003d"),
    "php": TEXT.replace("/", "\\/"),
    "repr": json.dumps(repr(KEY)),
    "unicode": '"' + "".join(f"\\u{ord(character):04X}" for character in KEY) + '"',
    "nested": json.dumps(TEXT.replace("=", "\\u003d").replace("/", "\\/")),
}
ANSWERS = {how: f'"error": {form}' for how, form in FORMS.items()}
ANSWERS["illegal"] = f'"category": {FORMS["gson"]}'
ANSWERS["field"] = f'"category": "NONE", {FORMS["unicode"]}: {FORMS["php"]}'
ANSWERS["no-json"] = f"KeyError: {KEY!r}"

for form in [*FORMS.values(), KEY, repr(KEY)]:
    print("refused:", form, file=sys.stderr, flush=True)
    for character in form:
        os.write(2, character.encode())
    os.write(2, b"\n")
print(json.dumps({"type": "ready", "inflight": 1}), flush=True)
answers = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "turn":
        answers += 1
        legal = json.dumps({"category": min(message["legal"])})[1:-1]
        answer = legal if answers <= int(sys.argv[2]) else ANSWERS[sys.argv[1]]
        print(f'{{"id": {message["id"]}, {answer}}}', flush=True)
