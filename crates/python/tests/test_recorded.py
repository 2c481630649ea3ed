"""Recorded runs and hills: those of the fixtures, which the command has exported to tables and documents too."""

import csv
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import dicehill

FIXTURES = Path(__file__).resolve().parents[3] / "fixtures" / "0.1"
LOGS = FIXTURES / "logs"
#: The runs whose tables the command has exported.
EXPORTED = {"yahtzee": LOGS / "mego.jsonl", "liars-dice": FIXTURES / "stores" / "autumn.1.jsonl"}


def exported(game, table):
    """The rows that the command has exported, without the apostrophes that keep spreadsheets from formulas."""
    with open(FIXTURES / "tables" / game / f"{table}.csv", newline="") as file:
        return [[cell[1:] if cell.startswith("'") else cell for cell in row] for row in csv.reader(file)]


def as_text(cell):
    """A cell as CSV has it."""
    if cell is None:
        return ""
    return str(cell).lower() if isinstance(cell, bool) else str(cell)


class Runs(unittest.TestCase):
    def test_a_log_has_its_header_games_and_result(self):
        run = dicehill.read_run(LOGS / "yahtzee.jsonl")
        lines = [json.loads(line) for line in (LOGS / "yahtzee.jsonl").read_text().splitlines()]
        games = [line for line in lines if "moves" in line]
        self.assertEqual(run.header["seed"], lines[0]["seed"])
        self.assertEqual([bot["name"] for bot in run.entrants], [bot["name"] for bot in lines[0]["bots"]])
        self.assertEqual(run.result, lines[-1])
        self.assertEqual((run.standings, run.champion), (lines[-1]["standings"], lines[-1]["champion"]))
        self.assertEqual(len(run.games), len(games))
        for game, line in zip(run.games, games):
            self.assertEqual((game.number, game.table, game.seats), (line["game"], line["table"], line["seats"]))
            self.assertEqual([result["points"] for result in game.results], [result["points"] for result in line["results"]])
        self.assertEqual(run.games[-1].number, len(games))
        self.assertEqual([game.number for game in run.games[1:3]], [2, 3])
        with self.assertRaises(IndexError):
            run.games[len(games)]
        self.assertEqual([run.game(number).number for number in (1, len(games))], [1, len(games)])
        for number in (0, -1, len(games) + 1):
            with self.assertRaisesRegex(IndexError, f"game {number}: the run has games 1 to {len(games)}"):
                run.game(number)

    def test_moves_are_those_that_the_command_exports(self):
        for name, log in EXPORTED.items():
            head, *rows = exported(name, "moves")
            run = dicehill.read_run(log)
            moves = [move for game in run.games for move in game.moves()]
            self.assertEqual(list(moves[0]), head)
            self.assertEqual([[as_text(cell) for cell in move.values()] for move in moves], rows)

    def test_games_before_a_bar_do_not_count(self):
        run = dicehill.read_run(LOGS / "barred.jsonl")
        self.assertEqual([bar["bot"] for bar in run.bars], ["Guilty"])
        self.assertNotIn("Guilty", {seat for game in run.games for seat in game.seats})

    def test_an_unfinished_run_has_games_and_no_result(self):
        for name in ("yahtzee", "liars-dice", "duel", "barred"):
            run = dicehill.read_run(LOGS / f"{name}.part")
            self.assertIsNone(run.result)
            self.assertEqual((run.standings, run.champion), ([], None))
            self.assertGreater(len(run.games), 0)
            self.assertIn("hash", run._repr_html_())

    def test_the_secret_of_an_unfinished_run_is_not_shown(self):
        seed = "spring#0123456789abcdef0123456789abcdef"
        with tempfile.TemporaryDirectory() as folder:
            whole, part = Path(folder, "whole.jsonl"), Path(folder, "part.jsonl")
            dicehill.tournament("yahtzee", {"a": "greedy", "b": "dummy"}, games=3, seed=seed, out=whole)
            part.write_text("".join(whole.read_text().splitlines(keepends=True)[:3]))
            self.assertEqual(dicehill.read_run(whole).header["seed"], seed)
            run = dicehill.read_run(part)
        self.assertEqual((run.header["seed"], len(run.games)), ("spring", 2))
        self.assertRegex(repr(run), "2 games, unfinished>$")
        # The dice are still those of the whole seed.
        self.assertEqual(len(list(run.games[0].moves())), run.to_arrow()["length"][0].as_py())

    def test_a_log_of_a_single_game(self):
        run = dicehill.read_run(LOGS / "game.jsonl")
        [game] = run.games
        self.assertGreater(game.number, 1)
        self.assertEqual(run.game(game.number).record, game.record)
        with self.assertRaisesRegex(IndexError, f"game 1: the run has game {game.number} alone"):
            run.game(1)
        self.assertGreater(len(list(game.moves())), 10)

    def test_a_hill_has_entrants_and_runs(self):
        for name in ("summer", "autumn"):
            hill = dicehill.open_hill(FIXTURES / "stores" / f"{name}.db")
            self.assertEqual([run["run"] for run in hill.runs], list(range(1, len(hill.runs) + 1)))
            for entrant in hill.entrants:
                self.assertGreaterEqual(entrant["version"], 1)
            for summary in hill.runs:
                run = hill.run(summary["run"])
                self.assertEqual((run.number, len(run.games)), (summary["run"], summary["games"]))
                if summary["ended"] is not None:
                    lines = (FIXTURES / "stores" / f"{name}.{summary['run']}.jsonl").read_text().splitlines()
                    self.assertEqual(run.result, json.loads(lines[-1]))
            self.assertEqual(hill.run().number, len(hill.runs))
            self.assertIn(hill.entrants[0]["hash"], hill._repr_html_())

    def test_an_error_names_file_line_and_value(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "run.jsonl")
            lines = (LOGS / "yahtzee.jsonl").read_text().splitlines(keepends=True)
            for name, content, message in (
                ("no log", "{}\n", ":1: not a run log of dicehill"),
                ("other rules", "".join(lines).replace('"rules":"official"', '"rules":"house"', 1), "header_hash|house"),
                ("altered", lines[0] + lines[1].replace('"points":1', '"points":0') + "".join(lines[2:]), ":2: .*points"),
                ("twice", lines[0] + lines[1] + lines[1], ":3: game 1 is repeated"),
            ):
                path.write_text(content)
                with self.subTest(name), self.assertRaisesRegex(dicehill.FileError, message) as raised:
                    dicehill.read_run(path)
                self.assertTrue(str(raised.exception).startswith(str(path)), raised.exception)
            with self.assertRaisesRegex(FileNotFoundError, "none.jsonl: no such file"):
                dicehill.read_run(Path(folder, "none.jsonl"))
            with self.assertRaisesRegex(FileNotFoundError, "none.db: no such file"):
                dicehill.open_hill(Path(folder, "none.db"))
            with self.assertRaisesRegex(dicehill.FileError, "has no run 99: it has"):
                dicehill.read_run(f"{FIXTURES / 'stores' / 'summer.db'}#99")
            with self.assertRaises(dicehill.FileError):
                dicehill.open_hill(LOGS / "yahtzee.jsonl")

    def test_an_altered_hill_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(FIXTURES / "stores" / "summer.db", folder)
            with sqlite3.connect(path) as store:
                store.execute("UPDATE page SET games = replace(games, '\"won\":true', '\"won\":false') WHERE run = 1")
            store.close()
            with self.assertRaisesRegex(dicehill.FileError, "run 1: .*altered"):
                dicehill.open_hill(path).run(1)


class Tables(unittest.TestCase):
    def test_arrow_has_what_the_command_exports(self):
        import pyarrow

        for name, log in EXPORTED.items():
            run = dicehill.read_run(log)
            for table in ("games", "seats", "moves"):
                head, *rows = exported(name, table)
                arrow = run.to_arrow(table)
                arrow.validate(full=True)
                self.assertEqual(arrow.column_names, head)
                self.assertEqual([[as_text(cell) for cell in row.values()] for row in arrow.to_pylist()], rows)
            self.assertEqual(run.to_arrow("games").schema.field("game").type, pyarrow.int64())

    def test_pandas_has_the_same(self):
        run = dicehill.read_run(LOGS / "liars-dice.jsonl")
        for table in ("games", "seats", "moves", "pairs"):
            frame, arrow = run.to_pandas(table), run.to_arrow(table)
            records = frame.astype(object).where(frame.notna(), None).to_dict("records")
            self.assertEqual(records, arrow.to_pylist())
        types = run.to_pandas("moves").dtypes.astype(str)
        self.assertEqual((types["round"], types["held"], types["action"][:6]), ("Int64", "boolean", "string"))

    def test_polars_has_the_same(self):
        import polars

        run = dicehill.read_run(LOGS / "liars-dice.jsonl")
        for table in ("games", "moves", "standings"):
            self.assertEqual(run.to_polars(table).to_dicts(), run.to_arrow(table).to_pylist())
        for one in (run, dicehill.analyze(run)):
            self.assertEqual(polars.DataFrame(one).to_dicts(), one.to_arrow().to_pylist())

    def test_standings_are_a_table_too(self):
        run = dicehill.read_run(LOGS / "yahtzee.jsonl")
        bots = [row["bot"] for row in run.standings]
        self.assertEqual(run.to_pandas("standings")["bot"].tolist(), bots)
        arrow = run.to_arrow("standings")
        self.assertEqual(arrow["bot"].to_pylist(), bots)
        self.assertIn("luck.score", arrow.column_names)

    def test_a_table_that_does_not_exist_is_named(self):
        run = dicehill.read_run(LOGS / "yahtzee.jsonl")
        for call in (run.to_arrow, run.to_pandas):
            with self.assertRaisesRegex(ValueError, 'table: "dice" is not one of games, seats, moves, pairs'):
                call("dice")

    def test_the_moves_of_a_run_that_did_not_keep_them(self):
        run = dicehill.read_run(f"{FIXTURES / 'stores' / 'summer.db'}#3")
        self.assertGreater(run.to_arrow("seats").num_rows, 0)
        with self.assertRaisesRegex(dicehill.FileError, "summer.db: run 3: .*not kept"):
            run.to_arrow("moves")

    def test_importing_the_package_imports_no_data_frames(self):
        program = "import sys, dicehill; print(sorted({'pandas', 'pyarrow', 'numpy'} & set(sys.modules)))"
        done = subprocess.run([sys.executable, "-c", program], env=os.environ, capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "[]\n")
