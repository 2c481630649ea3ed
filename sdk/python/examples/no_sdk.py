import json, sys
for line in sys.stdin:
    turn = json.loads(line) if line.strip() else {}
    if turn.get("type") != "turn": continue
    if "legal" in turn: answer = {"category": max(turn["legal"], key=turn["legal"].get)}
    elif not turn["bids"]: answer = {"bid": "1 6"}
    else:
        count = int(turn["bids"][-1].split()[0]) + 1
        answer = {"bid": "Liar!" if count > sum(turn["counts"]) // 3 else f"{count} 6"}
    print(json.dumps({"id": turn["id"], **answer}), flush=True)
