// Plays a game of the run that is in progress, next to the board: one that was stored a moment ago, at a pace that people can
// follow. When it is over, the newest game follows.
(() => {
  "use strict";
  const live = document.getElementById("live");
  if (!live) return;
  const { element, dice } = globalThis.elements;
  const PACE = 700;
  let game = null; // { number, seats, moves, next, shown }
  let paused = false;
  let busy = false;

  const scoresOfYahtzee = (document) => document.replay.yahtzee.moves.map((move) => ({
    seat: move.seat, text: move.text, dice: move.dice, kept: move.kept ?? [],
    points: move.filled ? { [move.seat]: move.filled.score } : {},
  }));

  const diceOfLiars = (document) => {
    const { rounds, moves } = document.replay.liars_dice;
    const hands = new Map(rounds.map((round) => [round.round, round.hands]));
    return moves.map((move) => ({
      seat: move.seat, text: move.text, dice: [], kept: [],
      points: Object.fromEntries((hands.get(move.round) ?? []).map((hand) => [hand.seat, hand.dice.length])),
    }));
  };

  const start = async (place) => {
    busy = true;
    try {
      const answer = await fetch(place.dataset.games + place.dataset.game);
      if (answer.ok) {
        const document = await answer.json();
        if (document.replay) {
          const moves = document.replay.yahtzee ? scoresOfYahtzee(document) : diceOfLiars(document);
          game = { number: document.number, seats: document.seats.map((seat) => seat.bot), moves, next: 0, points: {} };
        }
      }
    } catch {
      // The server cannot be reached; the next beat starts another attempt.
    }
    busy = false;
  };

  // Draws the current position into the part of the page, which may be new.
  const show = () => {
    const place = live.querySelector(".watch");
    if (!place) { game = null; return; }
    const button = place.querySelector("[data-pause]");
    if (button) button.textContent = paused ? "Go on" : "Pause";
    if (!game) return;
    const move = game.moves[game.next - 1];
    const link = place.querySelector("a");
    link.href = link.getAttribute("href").replace(/[0-9]+$/, game.number);
    link.textContent = `Game ${game.number.toLocaleString("en")}`;
    place.querySelector(".watched").replaceChildren(...game.seats.map((name, seat) =>
      element(
        "li",
        { class: move?.seat === seat ? "acting" : null },
        element("bdi", {}, name),
        " ",
        element("span", { class: "points" }, game.points[seat] ?? 0),
      )));
    const told = place.querySelector("[data-move]");
    told.replaceChildren(...(move?.dice.length ? [dice(move.dice, (_, at) => move.kept.includes(at)), " "] : []), move?.text ?? "");
  };

  const beat = () => {
    const place = live.querySelector(".watch");
    if (!place || paused || busy || document.hidden) return;
    if (!game || game.next > game.moves.length + 3) { start(place).then(show); return; }
    const move = game.moves[game.next];
    if (move) Object.assign(game.points, move.points);
    game.next += 1;
    if (move) show();
  };

  live.addEventListener("click", (event) => {
    if (!event.target.closest("[data-pause]")) return;
    paused = !paused;
    show();
  });
  new MutationObserver(show).observe(live, { childList: true });
  setInterval(beat, PACE);
})();
