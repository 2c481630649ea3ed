"""Exploitabilities of simple strategies, by OpenSpiel, for the tests of the judge.

    pip install open_spiel==2.0.2
    python openspiel.py > openspiel.txt

The game is OpenSpiel's `liars_dice`: one die each, sixes wild, bids ordered by count, then face. The strategy number
N of a player whose die shows `face`, after the bids `bids` (numbers from 0 for one one), gives a bid, or
the call as number 12, the weight `1 + (N * face + 3 * sum(bids) + 5 * len(bids) + 11 * action) % 13`; strategy 0 gives all the same.
Each line has N, and what the best answers of the first and the second player get against it.

With `speed`, it prints the CPU seconds of 20 iterations of OpenSpiel's C++ CFR+ instead.
"""

import sys
import time

import pyspiel


def weight(number, face, bids, action):
    if number == 0:
        return 1
    return 1 + (number * face + 3 * sum(bids) + 5 * len(bids) + 11 * action) % 13


def table(game, number):
    found = {}

    def visit(state, dice, bids):
        if state.is_terminal():
            return
        for action in state.legal_actions():
            child = state.child(action)
            if state.is_chance_node():
                visit(child, dice + [action], bids)
            else:
                visit(child, dice, bids + [action])
        if not state.is_chance_node():
            player = state.current_player()
            # Chance outcomes are faces, from 0 or from 1.
            key = state.information_state_string(player)
            face = int(key.split()[0])
            actions = state.legal_actions()
            weights = [weight(number, face, bids, action) for action in actions]
            found[key] = [(a, w / sum(weights)) for a, w in zip(actions, weights)]

    visit(game.new_initial_state(), [], [])
    return pyspiel.TabularPolicy(found)


def vectors(game):
    for number in range(4):
        policy = table(game, number)
        values = []
        for player in range(2):
            response = pyspiel.TabularBestResponse(game, player, policy)
            values.append(response.value_from_state(game.new_initial_state()))
        print(number, *(f"{value:.12f}" for value in values))


def speed(game):
    solver = pyspiel.CFRPlusSolver(game)
    solver.evaluate_and_update_policy()
    begun = time.process_time()
    for _ in range(20):
        solver.evaluate_and_update_policy()
    print(time.process_time() - begun)


if __name__ == "__main__":
    game = pyspiel.load_game("liars_dice")
    if sys.argv[1:] == ["speed"]:
        speed(game)
    else:
        vectors(game)
