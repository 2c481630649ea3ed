// Runs bots as the arena does: as programs, with lines on stdin.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const SDK = new URL('../dicehill.mjs', import.meta.url);
export const STEADY = fileURLToPath(new URL('../examples/steady.mjs', import.meta.url));

/** A temporary folder that is gone when the test is over. */
export function folder(test) {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'dicehill-'));
  test.after(() => fs.rmSync(made, { recursive: true }));
  return made;
}

/** A program of an author's: `source` sees the SDK's names and is written to a file. */
export function program(test, source) {
  const file = path.join(folder(test), 'bot.mjs');
  const names = '{ CATEGORIES, checkTranscript, liarsDice, play, playTranscript, yahtzee }';
  fs.writeFileSync(file, `import ${names} from ${JSON.stringify(SDK.href)};\n${source}\n`);
  return file;
}

/** How a bot's stdout may come: node connects child processes by sockets, the arena and shells by pipes. */
export const WAYS = {
  sockets(_test, file, input, options) {
    const { stdout, stderr, status } = spawnSync(process.execPath, [file, ...options], { input, encoding: 'utf8' });
    return { stdout, stderr, status };
  },

  pipes(test, file, input, options) {
    const place = folder(test);
    const at = (name) => path.join(place, name);
    fs.writeFileSync(at('in'), input);
    const bot = [process.execPath, file, ...options].map((word) => `'${word}'`).join(' ');
    const script = `{ cat in | { ${bot} 2>&1 >&3 3>&-; echo $? >status; } | cat >err; } 3>&1 | cat >out`;
    spawnSync('sh', ['-c', script], { cwd: place });
    const read = (name) => fs.readFileSync(at(name), 'utf8');
    return { stdout: read('out'), stderr: read('err'), status: Number(read('status')) };
  },
};

/** Plays `messages` through a program: values, or lines as they stand. */
export function run(test, file, messages, { way = 'pipes', options = [] } = {}) {
  const lines = messages.map((message) => (typeof message === 'string' ? message : `${JSON.stringify(message)}\n`));
  const { stdout, stderr, status } = WAYS[way](test, file, lines.join(''), options);
  const answers = options.length === 0 ? values(stdout) : [];
  return { stdout, stderr, status, answers };
}

/** Lines of JSON as values; fails where a line is none. */
export function values(text) {
  return text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
}

// ---- Messages as the arena sends them ----

export const hello = (game) => ({
  type: 'hello',
  protocol: 1,
  game,
  rules: 'official',
  memory: 'game',
  name: 'Mine',
  limits: { start_ms: 10000, move_ms: 1000, memory_mb: 512 },
});

export const READY = { type: 'ready', inflight: 64 };

export const start = (game) => ({ type: 'start', game, players: 3, seed: '9f3c00a1b2c3d4e5' });

export const yahtzeeTurn = (id, game, more = {}) => ({
  type: 'turn',
  id,
  game,
  round: 11,
  stage: 1,
  dice: [1, 1, 4, 6, 6],
  card: { TWOS: 6, THREES: 9, FOURS: 12, FIVES: 15, THREE_OF_A_KIND: 22, FOUR_OF_A_KIND: 0, FULL_HOUSE: 25,
    SMALL_STRAIGHT: 30, LARGE_STRAIGHT: 0, YAHTZEE: 0 },
  legal: { ACES: 2, SIXES: 12, CHANCE: 18 },
  upper: 42,
  upper_bonus: 0,
  yahtzee_bonus: 0,
  score: 119,
  scores: [88, 119, 131],
  ...more,
});

export const liarsDiceTurn = (id, game, more = {}) => ({
  type: 'turn',
  id,
  game,
  you: 1,
  counts: [6, 4, 5],
  dice: [1, 2, 2, 3],
  bids: ['3 6', '4 2'],
  names: ['A', 'B', 'Çelik'],
  points: [120, 1345, 88],
  ...more,
});
