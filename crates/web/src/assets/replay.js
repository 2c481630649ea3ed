"use strict";

// The player of a recorded game: shows one position after the other, by slider, buttons and keys.
// Without this script the page lists all moves. A position is a move being made: the dice that its player sees,
// the action, and its result. Its address is the page's with #move-N.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  /** Milliseconds that a position is shown at speed 1. */
  const PACE = 1100;

  const byId = (id) => document.getElementById(id);

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  /** Dice by their pips; 0 is a hidden die. */
  function drawn(pips, isMarked) {
    const dice = element("span", "dice");
    dice.setAttribute("role", "img");
    dice.setAttribute("aria-label", pips.some((pip) => pip === 0) ? `${pips.length} hidden` : pips.join(" "));
    pips.forEach((pip, place) => {
      const svg = document.createElementNS(SVG, "svg");
      svg.setAttribute("class", isMarked(pip, place) ? "die marked" : "die");
      svg.setAttribute("aria-hidden", "true");
      const use = document.createElementNS(SVG, "use");
      use.setAttribute("href", `#d${pip}`);
      svg.append(use);
      dice.append(svg);
    });
    return dice;
  }

  /** Rows of the cards that are sums. */
  const SUMS = ["upper_bonus", "yahtzee_bonus", "score"];

  /** The cards, which are filled move by move. */
  class YahtzeeBoard {
    constructor(replay) {
      this.moves = replay.moves;
      this.dice = byId("dice");
      this.table = byId("cards");
      const rows = [...this.table.querySelectorAll("tr[data-box]")];
      this.cells = new Map(rows.map((row) => [row.dataset.box, [...row.querySelectorAll("td")]]));
      this.headings = [...this.table.querySelectorAll("thead th")].slice(1);
    }

    show(index) {
      const move = this.moves[index];
      this.dice.replaceChildren(drawn(move.dice, (_, place) => move.kept.includes(place)));
      const filled = this.filled(index);
      for (const [box, cells] of this.cells) {
        const empty = SUMS.includes(box) ? "0" : "-";
        cells.forEach((cell, seat) => {
          cell.textContent = filled.get(seat)?.get(box) ?? empty;
          cell.classList.toggle("fresh", seat === move.seat && move.filled?.category === box);
        });
      }
      this.headings.forEach((heading, seat) => heading.classList.toggle("acting", seat === move.seat));
      this.reveal(this.headings[move.seat]);
    }

    /** The boxes of each seat after the move. */
    filled(index) {
      const filled = new Map(this.headings.map((_, seat) => [seat, new Map()]));
      for (const { seat, filled: box } of this.moves.slice(0, index + 1)) {
        if (!box) continue;
        filled.get(seat).set(box.category, box.points);
        for (const sum of SUMS) filled.get(seat).set(sum, box[sum]);
      }
      return filled;
    }

    /** Scrolls a wide table, and nothing else, to the seat that moves. */
    reveal(heading) {
      const wide = this.table.parentElement;
      const left = heading.offsetLeft - this.table.offsetLeft;
      const named = this.table.querySelector("th").offsetWidth;
      const isHidden = left < wide.scrollLeft + named || left + heading.offsetWidth > wide.scrollLeft + wide.clientWidth;
      if (wide.scrollWidth > wide.clientWidth && isHidden) wide.scrollLeft = left - named;
    }
  }

  /** Hands and bids; a seat's view has only its own dice until a call. */
  class LiarsDiceBoard {
    constructor(replay) {
      this.replay = replay;
      this.moves = replay.moves;
      this.rows = [...byId("hands").querySelectorAll("tbody tr")];
      this.view = byId("view");
    }

    show(index) {
      const move = this.moves[index];
      const round = this.replay.rounds.findLast((one) => one.first <= move.number);
      const bids = this.bids(round, index);
      this.rows.forEach((row, seat) => {
        const hand = round.hands.find((one) => one.seat === seat);
        const [dice, bid] = row.querySelectorAll("td");
        dice.replaceChildren(hand ? this.hand(hand, move) : element("span", "note", "out"));
        bid.replaceChildren(...this.said(bids.get(seat), move, seat));
        row.classList.toggle("acting", seat === move.seat);
      });
    }

    /** The last bid of each seat in this round, up to the move. */
    bids(round, index) {
      const made = this.moves.slice(round.first - 1, index + 1).filter((move) => move.bid);
      return new Map(made.map((move) => [move.seat, move.bid]));
    }

    hand({ seat, dice }, move) {
      const hidden = this.view.value !== "" && Number(this.view.value) !== seat && !move.call;
      const counts = (pip) => move.call !== null && (pip === 1 || pip === move.call.bid.face);
      return drawn(hidden ? dice.map(() => 0) : dice, counts);
    }

    said(bid, move, seat) {
      if (move.call && move.seat === seat) return [element("strong", "", "Liar!")];
      if (move.failure && move.seat === seat) return [element("strong", "", "out")];
      return bid ? [`${bid.count} × `, drawn([bid.face], () => false)] : [];
    }
  }

  class Player {
    constructor(board, names) {
      this.board = board;
      this.names = names;
      this.count = board.moves.length;
      this.index = 0;
      this.timer = null;
      this.naming = null;
      this.unfolded = null;
      this.slider = byId("position");
      this.told = byId("told");
      this.section = byId("player");
      this.buttons = new Map([...this.section.querySelectorAll("[data-go]")].map((one) => [one.dataset.go, one]));
      this.listen();
    }

    listen() {
      this.slider.addEventListener("input", () => this.go(Number(this.slider.value) - 1));
      for (const [where, button] of this.buttons) button.addEventListener("click", () => this.step(where));
      byId("view")?.addEventListener("change", () => this.draw());
      window.addEventListener("hashchange", () => this.follow());
      document.addEventListener("keydown", (event) => this.key(event));
      // A click on a move's number shows it on the board without scrolling away from the board.
      document.addEventListener("click", (event) => {
        const link = event.target instanceof Element && event.target.closest("a.number");
        if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        this.go(Number(link.hash.slice("#move-".length)) - 1);
        this.section.scrollIntoView({ block: "start", behavior: this.behavior() });
        this.slider.focus({ preventScroll: true });
      });
    }

    behavior() {
      return matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    }

    key(event) {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
      const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play" };
      const where = keys[event.key];
      const target = event.target instanceof Element ? event.target : document.body;
      // Tables, lists and buttons use these keys themselves.
      if (!where || target.closest("select, textarea, .wide, summary, input:not(#position)")) return;
      if (where === "play" && target.closest("button, a")) return;
      // Outside the player these keys scroll the page.
      if (!this.section.contains(target) && !["back", "forward"].includes(where)) return;
      event.preventDefault();
      this.step(where);
    }

    step(where) {
      if (where === "play") return this.timer === null ? this.play() : this.pause();
      const to = {
        first: 0, back: this.index - 1, forward: this.index + 1, last: this.count - 1,
        "round-back": this.roundBefore(), "round-forward": this.roundAfter(),
      };
      this.go(to[where]);
    }

    /** The first move of this round, or of the one before if this is it. */
    roundBefore() {
      const { moves } = this.board;
      const before = moves[Math.max(this.index - 1, 0)].round;
      return moves.findIndex((move) => move.round === before);
    }

    /** The first move of the next round; the last move in the last round. */
    roundAfter() {
      const { moves } = this.board;
      const next = moves.findIndex((move) => move.round > moves[this.index].round);
      return next < 0 ? this.count - 1 : next;
    }

    /** Shows a position on request, which stops playing. */
    go(index) {
      this.pause();
      this.move(index);
    }

    play() {
      if (this.index === this.count - 1) this.move(0);
      // A screen reader cannot follow a move a second.
      this.told.setAttribute("aria-live", "off");
      this.buttons.get("play").textContent = "Pause";
      this.schedule();
    }

    schedule() {
      this.timer = setTimeout(() => {
        this.move(this.index + 1);
        if (this.index === this.count - 1) this.pause();
        else this.schedule();
      }, PACE / Number(byId("speed").value));
    }

    pause() {
      if (this.timer !== null) clearTimeout(this.timer);
      this.timer = null;
      this.told.setAttribute("aria-live", "polite");
      this.buttons.get("play").textContent = "Play";
    }

    move(index) {
      const to = Math.min(Math.max(Number.isFinite(index) ? index : 0, 0), this.count - 1);
      if (to === this.index) return;
      this.index = to;
      this.draw();
      this.name();
    }

    /** Writes the position to the address after a pause: browsers refuse a hundred changes in a few seconds. */
    name() {
      clearTimeout(this.naming);
      this.naming = setTimeout(() => history.replaceState(null, "", `#move-${this.index + 1}`), 200);
    }

    draw() {
      const { index, count } = this;
      const move = this.board.moves[index];
      this.board.show(index);
      this.slider.value = String(index + 1);
      this.slider.setAttribute("aria-valuetext", `${index + 1} of ${count}: ${move.text}`);
      byId("at").textContent = `${index + 1} of ${count}`;
      byId("link").href = `#move-${index + 1}`;
      for (const where of ["first", "round-back", "back"]) this.disable(where, index === 0);
      for (const where of ["forward", "round-forward", "last"]) this.disable(where, index === count - 1);
      document.querySelector(".current")?.classList.remove("current");
      const row = byId(`move-${index + 1}`);
      row?.classList.add("current");
      this.unfold(row?.closest("details") ?? null);
      this.tell(move, row);
    }

    /** Unfolds the round of the move in the list, and folds the one that it had unfolded before. */
    unfold(round) {
      if (round === this.unfolded) return;
      if (this.unfolded) this.unfolded.open = false;
      this.unfolded = round && !round.open ? round : null;
      if (round) round.open = true;
    }

    /** A button that has the focus keeps it. */
    disable(where, isDisabled) {
      this.buttons.get(where).setAttribute("aria-disabled", String(isDisabled));
    }

    /** The text of the move, from the list. */
    tell(move, row) {
      const place = move.stage === undefined ? `Round ${move.round}` : `Round ${move.round}, roll ${move.stage + 1}`;
      const parts = [element("span", "note", `${place}: `), element("bdi", "", this.names[move.seat]), " "];
      const what = row?.querySelector(".what");
      parts.push(what ? what.cloneNode(true) : move.text);
      if (move.best) {
        const cost = row?.querySelector(".cost");
        parts.push(element("span", "mistake", ` Lost ${cost ? cost.textContent : move.lost.toFixed(2)}`));
      }
      this.told.replaceChildren(...parts);
    }

    /** Shows the position in the address, if there is one. */
    follow() {
      const named = /^#move-(\d+)$/.exec(location.hash);
      if (!named) return false;
      this.pause();
      clearTimeout(this.naming);
      this.index = Math.min(Math.max(Number(named[1]), 1), this.count) - 1;
      this.draw();
      return true;
    }
  }

  /** The names as the page shows them, made printable. */
  function shownNames() {
    return [...byId("result-of-seats").querySelectorAll("th[scope=row]")].map((one) => one.textContent);
  }

  function begin() {
    const block = byId("replay");
    if (!block) return;
    const game = JSON.parse(block.textContent);
    const { yahtzee, liars_dice: liarsDice } = game.replay;
    const replay = yahtzee ?? liarsDice;
    if (replay.moves.length === 0) return;
    const board = yahtzee ? new YahtzeeBoard(yahtzee) : new LiarsDiceBoard(liarsDice);
    const player = new Player(board, shownNames());
    if (player.follow()) {
      // The browser has scrolled to the move in the list, but the link means the board.
      requestAnimationFrame(() => byId("player").scrollIntoView({ block: "start" }));
    } else {
      player.draw();
    }
  }

  begin();
})();
