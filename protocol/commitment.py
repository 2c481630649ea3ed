#!/usr/bin/env python3
"""The commitment of a run and the seed that follows from it.

Written from protocol/proof.md, sharing no code with dicehill:

    python3 commitment.py              checks the test vector
    python3 commitment.py LOG          checks the log of a committed run
"""

import hashlib
import json
import sys


def commitment(secret, nonce):
    """What is published while entries are open, from 32 bytes of secret and 16 of nonce."""
    return "sha256:" + hashlib.sha256(b"dicehill/1/commitment\n" + nonce + secret).hexdigest()


def seed(secret, hashes, public_text=""):
    """The master seed of a run between entrants with these hashes, in their order."""
    message = b"dicehill/1/committed-seed\n" + secret + len(hashes).to_bytes(8, "little")
    for text in [*hashes, public_text]:
        message += len(text.encode()).to_bytes(8, "little") + text.encode()
    return hashlib.sha256(message).hexdigest()


VECTOR = {
    "secret": bytes(range(32)),
    "nonce": bytes([0xAB] * 16),
    "hashes": ["house:greedy@1", "blake3:00ff"],
    "public_text": "Ärger",
    "commitment": "sha256:1ab4191888deb9679b0e365a78fe3d3f991a177d3e5f61cc258e4e52279c65bd",
    "seed": "77246df319e6b6a78f6f7ca2ab68501ab71850cc2c1307b5d86c9667738694a1",
}


def check_vector():
    given = VECTOR
    assert commitment(given["secret"], given["nonce"]) == given["commitment"]
    assert seed(given["secret"], given["hashes"], given["public_text"]) == given["seed"]


def check_log(path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    header, result = json.loads(lines[0]), json.loads(lines[-1])
    secret, nonce = bytes.fromhex(result["secret"]), bytes.fromhex(result["nonce"])
    assert commitment(secret, nonce) == header["commitment"], "another secret was committed to"
    found = seed(secret, [bot["hash"] for bot in header["bots"]], result.get("public_text", ""))
    assert found == header["seed"], "the seed does not follow from the secret"


if __name__ == "__main__":
    check_vector()
    for argument in sys.argv[1:]:
        check_log(argument)
