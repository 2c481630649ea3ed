// How fast a bot reads turns from a pipe and answers: the SDK compared with a bare loop. Run with: node bench/pipe.mjs
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const TURNS = 200_000;
const RUNS = 5;
const EXAMPLES = {
  yahtzee: (id) => `{"type":"turn","id":${id},"game":${1000 + (id % 64)},"round":11,"stage":1,"dice":[1,1,4,6,6],"card":{"TWOS":6,"THREES":9,"FOURS":12,"FIVES":15,"THREE_OF_A_KIND":22,"FOUR_OF_A_KIND":0,"FULL_HOUSE":25,"SMALL_STRAIGHT":30,"LARGE_STRAIGHT":0,"YAHTZEE":0},"legal":{"ACES":2,"SIXES":12,"CHANCE":18},"upper":42,"upper_bonus":0,"yahtzee_bonus":0,"score":119,"scores":[88,119,131]}\n`,
  'liars-dice': (id) => `{"type":"turn","id":${id},"game":${1000 + (id % 64)},"you":1,"counts":[6,4,5],"dice":[1,2,2,3],"bids":["3 6","4 2","4 3","5 5"],"names":["Badnomial","Statistician","Fidelio"],"points":[120,1345,88]}\n`,
};

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'dicehill-'));
const program = (name) => fileURLToPath(new URL(`${name}.mjs`, import.meta.url));

/** Turns a second, with the time that node takes to start. */
function rate(name, turns) {
  const began = process.hrtime.bigint();
  const script = `cat '${turns}' | '${process.execPath}' '${program(name)}' | wc -l`;
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  if (Number(stdout) !== TURNS) throw new Error(`${name}: ${stdout.trim()} answers to ${TURNS} turns`);
  return TURNS / (Number(process.hrtime.bigint() - began) / 1e9);
}

for (const [game, example] of Object.entries(EXAMPLES)) {
  const turns = path.join(place, game);
  fs.writeFileSync(turns, Array.from({ length: TURNS }, (_, id) => example(id)).join(''));
  const best = (name) => Math.max(...Array.from({ length: RUNS }, () => rate(name, turns)));
  const [bare, sdk] = [best('bare'), best('sdk')];
  console.log(`${game}: bare ${Math.round(bare)}, SDK ${Math.round(sdk)} turns a second, ${Math.round((100 * sdk) / bare)} %`);
}
fs.rmSync(place, { recursive: true });
