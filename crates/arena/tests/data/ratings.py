"""Reference ratings for the arena's tests, fitted by independent programs.

Strengths without ties come from choix (github.com/lucasmaystre/choix), computed by
two of its methods, which must agree. With ties they maximize the likelihood of
Firth, Kosmidis and Turner's Davidson-Luce model, which is enumerated here over all
sets of winners and maximized by scipy. To regenerate the file:

    pip install choix==0.4.1
    python3 ratings.py > ratings.json

Strengths are natural logarithms with the mean 0; `ties` has for each number of
joint winners the logarithm of its weight.
"""

import json
import random
from itertools import combinations
from math import exp

import choix
import numpy as np
from scipy.optimize import minimize


def draw(random, strengths, weights, seats):
    """A set of winners: weights[t] is the weight of a tie of t."""
    sets = [winners for size in weights if size <= len(seats)
            for winners in combinations(seats, size)]
    chances = [weights[len(winners)] * exp(sum(strengths[w] for w in winners) / len(winners))
               for winners in sets]
    return random.choices(sets, chances)[0]


def play(seed, strengths, weights, sizes, games, met=None):
    """Counts of (seats, winners) over so many games at tables of these sizes."""
    source = random.Random(seed)
    tables = met or [seats for size in sizes
                     for seats in combinations(range(len(strengths)), size)]
    counts = {}
    for _ in range(games):
        seats = source.choice(tables)
        outcome = (seats, draw(source, strengths, weights, seats))
        counts[outcome] = counts.get(outcome, 0) + 1
    return counts


def centred(strengths):
    return [float(s) for s in np.asarray(strengths) - np.mean(strengths)]


def agreeing(first, second):
    first, second = centred(first), centred(second)
    assert np.max(np.abs(np.subtract(first, second))) < 1e-7, (first, second)
    return first


def by_choix(counts, entrants):
    """Strengths of games that somebody won alone."""
    if all(len(seats) == 2 for seats, _ in counts):
        data = [(w, sum(seats) - w) for (seats, (w,)), count in counts.items() for _ in range(count)]
        return "choix.ilsr_pairwise, choix.mm_pairwise", agreeing(
            choix.ilsr_pairwise(entrants, data, tol=1e-13, max_iter=10_000),
            choix.mm_pairwise(entrants, data, tol=1e-13, max_iter=1_000_000))
    data = [(w, tuple(s for s in seats if s != w))
            for (seats, (w,)), count in counts.items() for _ in range(count)]
    return "choix.ilsr_top1, choix.mm_top1", agreeing(
        choix.ilsr_top1(entrants, data, tol=1e-13, max_iter=10_000),
        choix.mm_top1(entrants, data, tol=1e-13, max_iter=1_000_000))


def by_likelihood(counts, entrants, orders):
    """Strengths and weights of ties where the likelihood is greatest."""
    tables = {}
    for (seats, winners), count in counts.items():
        tables.setdefault(seats, {})[winners] = count

    def row(winners):
        row = np.zeros(entrants + len(orders))
        row[list(winners)] = 1 / len(winners)
        if len(winners) > 1:
            row[entrants + orders.index(len(winners))] = 1
        return row

    parts = []
    for seats, of_table in tables.items():
        sets = [w for size in [1] + orders if size <= len(seats)
                for w in combinations(seats, size)]
        parts.append((np.array([row(w) for w in sets]),
                      np.array([of_table.get(w, 0) for w in sets], dtype=float)))

    def loss(at):
        # Only differences matter: the square of the sum takes the freedom away.
        value, slope = np.sum(at[:entrants]) ** 2, np.zeros_like(at)
        bend = np.zeros((len(at), len(at)))
        slope[:entrants] = 2 * np.sum(at[:entrants])
        bend[:entrants, :entrants] = 2
        for rows, seen in parts:
            logits = rows @ at
            chances = np.exp(logits - logits.max())
            total = chances.sum()
            chances /= total
            value -= seen @ logits - seen.sum() * (np.log(total) + logits.max())
            slope -= rows.T @ (seen - seen.sum() * chances)
            mean = rows.T @ chances
            bend += seen.sum() * (rows.T @ (chances[:, None] * rows) - np.outer(mean, mean))
        return value, slope, bend

    found = minimize(lambda at: loss(at)[0], np.zeros(entrants + len(orders)),
                     jac=lambda at: loss(at)[1], hess=lambda at: loss(at)[2],
                     method="trust-exact", options={"gtol": 1e-7, "maxiter": 1000})
    at = found.x - np.linalg.solve(loss(found.x)[2], loss(found.x)[1])
    return "scipy.optimize.minimize", centred(at[:entrants]), dict(zip(orders, map(float, at[entrants:])))


def case(name, counts, entrants):
    orders = sorted({len(winners) for _, winners in counts} - {1})
    if orders:
        source, strengths, ties = by_likelihood(counts, entrants, orders)
    else:
        (source, strengths), ties = by_choix(counts, entrants), {}
    games = [{"seats": seats, "winners": winners, "count": count}
             for (seats, winners), count in sorted(counts.items())]
    return {"name": name, "source": source, "entrants": entrants, "games": games,
            "strengths": strengths, "ties": ties}


SPREAD = [0.9, 0.4, 0.1, -0.2, -1.2]
FAR = [4.0, 2.0, 0.0, -1.0, -5.0]
CASES = [
    ("every pair", play(1, SPREAD, {1: 1}, [2], 2000), 5),
    ("far apart", play(2, FAR, {1: 1}, [2], 20_000), 5),
    ("a chain", play(3, SPREAD, {1: 1}, [], 1000, [(0, 1), (1, 2), (2, 3), (3, 4)]), 5),
    ("tables of three", play(4, SPREAD, {1: 1}, [3], 2000), 5),
    ("tables of three to five", play(5, SPREAD + [0.3, -0.3], {1: 1}, [3, 4, 5], 4000), 7),
    ("pairs with ties", play(6, SPREAD, {1: 1, 2: 0.7}, [2], 2000), 5),
    ("pairs with rare ties, far apart", play(7, FAR, {1: 1, 2: 0.05}, [2], 20_000), 5),
    ("tables of three with ties", play(8, SPREAD, {1: 1, 2: 0.5, 3: 0.3}, [3], 2000), 5),
    ("tables of two to five with ties",
     play(9, SPREAD, {1: 1, 2: 0.4, 3: 0.2, 4: 0.2, 5: 0.2}, [2, 3, 4, 5], 6000), 5),
]

if __name__ == "__main__":
    cases = [case(*parts) for parts in CASES]
    lines = ",\n".join(json.dumps(case) for case in cases)
    print(f"[\n{lines}\n]")
