import json
import sys
import threading

try:
    import numpy
except ImportError:
    numpy = None

print('{"type":"ready","inflight":8}', flush=True)
threading.Thread(target=lambda: None).start()
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] != "turn":
        continue
    names, scores = list(asked["legal"]), list(asked["legal"].values())
    if numpy is not None:
        # Large enough for the threads of its linear algebra.
        square = numpy.ones((200, 200))
        best = int(numpy.argmax(numpy.array(scores) + (square @ square)[0, 0]))
    else:
        best = scores.index(max(scores))
    print(json.dumps({"id": asked["id"], "category": names[best]}), flush=True)
