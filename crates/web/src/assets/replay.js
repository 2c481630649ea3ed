"use strict";

// The player of a recorded game: goes from one position to the other, by slider, buttons and keys.
// Without this script the page lists all moves. A position is a move being made: the dice that its player sees,
// the action, and its result. Its address is the page's with #move-N.
(() => {
  /** Milliseconds that a position is shown at speed 1. */
  const PACE = 1100;
  const KEYS = {
    ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", " ": "play", p: "player-forward", l: "loss-forward",
  };
  const SHIFTED = { ArrowLeft: "round-back", ArrowRight: "round-forward", P: "player-back", L: "loss-back" };
  /** Keys that work outside the player too, where no other element uses them. */
  const EVERYWHERE = ["back", "forward", "round-back", "round-forward"];

  const { byId, element } = globalThis.elements;

  class Player {
    constructor(table, names) {
      this.table = table;
      this.names = names;
      this.moves = table.moves;
      this.count = this.moves.length;
      this.index = 0;
      this.timer = null;
      this.naming = null;
      this.unfolded = [];
      this.slider = byId("position");
      this.decision = byId("decision");
      this.section = byId("player");
      this.buttons = new Map([...this.section.querySelectorAll("[data-go]")].map((one) => [one.dataset.go, one]));
      this.listen();
    }

    listen() {
      this.slider.addEventListener("input", () => this.go(Number(this.slider.value) - 1));
      for (const [where, button] of this.buttons) button.addEventListener("click", () => this.step(where));
      for (const button of byId("seats").querySelectorAll("[data-seat]")) {
        button.addEventListener("click", () => this.go(this.nextOf(Number(button.dataset.seat))));
      }
      byId("view")?.addEventListener("change", () => this.draw());
      window.addEventListener("hashchange", () => this.follow());
      document.addEventListener("keydown", (event) => this.key(event));
      // A click on a move's number shows it on the table without scrolling away from the table.
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
      if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      const where = event.shiftKey ? SHIFTED[event.key] : KEYS[event.key];
      const target = event.target instanceof Element ? event.target : document.body;
      if (!where || !this.takes(where, target)) return;
      event.preventDefault();
      this.step(where);
    }

    /** Whether a key on this element is for the player. */
    takes(where, target) {
      // Tables, lists and buttons use these keys themselves.
      if (target.closest("select, textarea, .wide, summary, input:not(#position)")) return false;
      if (where === "play" && target.closest("button, a")) return false;
      if (this.section.contains(target)) return true;
      // Elsewhere a space scrolls the page, unless the table is in view and nothing has the focus.
      if (where === "play") return target.matches("body, main") && this.isInView();
      return EVERYWHERE.includes(where) && getSelection().isCollapsed;
    }

    isInView() {
      const { top, bottom } = this.decision.getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    }

    step(where) {
      if (where === "play") return this.timer === null ? this.play() : this.halt();
      this.go(this.target(where));
    }

    /** The position of a step; -1 if there is none. */
    target(where) {
      const { index, moves } = this;
      const { seat } = moves[index];
      const isAfter = (is) => moves.findIndex((move, place) => place > index && is(move));
      const isBefore = (is) => moves.findLastIndex((move, place) => place < index && is(move));
      switch (where) {
        case "first": return 0;
        case "last": return this.count - 1;
        case "back": return index - 1;
        case "forward": return index + 1;
        case "round-back": return this.roundBefore();
        case "round-forward": return this.roundAfter();
        case "player-back": return isBefore((move) => move.seat === seat);
        case "player-forward": return isAfter((move) => move.seat === seat);
        case "loss-back": return isBefore((move) => move.best);
        case "loss-forward": return isAfter((move) => move.best);
        default: return -1;
      }
    }

    /** The first move of this round, or of the one before if this is it. */
    roundBefore() {
      const before = this.moves[Math.max(this.index - 1, 0)].round;
      return this.moves.findIndex((move) => move.round === before);
    }

    /** The first move of the next round; the last move in the last round. */
    roundAfter() {
      const next = this.moves.findIndex((move) => move.round > this.moves[this.index].round);
      return next < 0 ? this.count - 1 : next;
    }

    /** The next move of a seat, and after its last one its first. */
    nextOf(seat) {
      const next = this.moves.findIndex((move, place) => place > this.index && move.seat === seat);
      return next < 0 ? this.moves.findIndex((move) => move.seat === seat) : next;
    }

    /** Shows a position on request, which stops playing and is announced. There may be none. */
    go(index) {
      this.pause();
      if (index < 0) return;
      this.move(index);
      this.say();
    }

    /** Has screen readers announce the position in one sentence: the round, the move, and what the coach says. */
    say() {
      const [what, verdict] = ["what", "verdict"].map((id) => byId(id).textContent.replace(/\s+/g, " ").trim());
      byId("said").textContent = [what, verdict].filter(Boolean).join(what.endsWith(".") ? " " : ". ");
    }

    play() {
      if (this.index === this.count - 1) this.move(0);
      // A screen reader cannot follow a move a second: neither the moves nor the values of a slider that has the focus.
      byId("said").textContent = "Playing.";
      if (document.activeElement === this.slider) this.buttons.get("play").focus();
      this.nameOfPlay("Pause");
      this.schedule();
    }

    schedule() {
      this.timer = setTimeout(() => {
        this.move(this.index + 1);
        if (this.index === this.count - 1) this.halt();
        else this.schedule();
      }, PACE / Number(byId("speed").value));
    }

    /** Stops playing, on request or at the end; the position that was reached is announced. */
    halt() {
      this.pause();
      this.say();
    }

    pause() {
      if (this.timer !== null) clearTimeout(this.timer);
      this.timer = null;
      this.nameOfPlay("Play");
    }

    nameOfPlay(name) {
      this.buttons.get("play").querySelector(".word").textContent = name;
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
      this.table.show(index);
      this.slider.value = String(index + 1);
      this.slider.setAttribute("aria-valuetext", `${index + 1} of ${count}`);
      byId("at").textContent = `${index + 1} of ${count}`;
      byId("link").href = `#move-${index + 1}`;
      this.disable();
      document.querySelector(".current")?.classList.remove("current");
      const row = byId(`move-${index + 1}`);
      row?.classList.add("current");
      this.unfold(row?.closest("details") ?? null);
      this.tell(this.moves[index], row);
    }

    /** Unfolds the round of the move in the list, with the group that it is in, and folds what it had unfolded before. */
    unfold(round) {
      const around = [];
      for (let at = round; at; at = at.parentElement.closest("details")) around.push(at);
      for (const other of this.unfolded) if (!around.includes(other)) other.open = false;
      const folded = around.filter((details) => !details.open);
      this.unfolded = [...this.unfolded.filter((details) => around.includes(details)), ...folded];
      for (const details of folded) details.open = true;
    }

    /** Marks the buttons that lead nowhere. A button that has the focus keeps it. */
    disable() {
      for (const [where, button] of this.buttons) {
        const to = where === "play" ? 0 : this.target(where);
        const leadsNowhere = where !== "play" && (to < 0 || to >= this.count || to === this.index);
        button.setAttribute("aria-disabled", String(leadsNowhere));
      }
    }

    /** The move in words, from the list, and what the coach says of it. */
    tell(move, row) {
      const held = this.table.held(this.index);
      const what = row?.querySelector(".what");
      byId("what").replaceChildren(
        element("span", { class: "unseen" }, `Round ${move.round}:\u00a0`),
        element("bdi", {}, this.names[move.seat]),
        element("span", { class: "unseen" }, held ? `, with ${held},\u00a0` : ""),
        " ",
        what ? what.cloneNode(true) : move.text,
      );
      byId("verdict").replaceChildren(" ", ...this.verdict(move, row));
    }

    verdict(move, row) {
      const odds = this.table.odds(move);
      const after = odds ? [` ${odds}`] : [];
      if (move.lost === null) return after;
      if (!move.best) return [element("span", { class: "best" }, "Best choice."), ...after];
      const cost = row?.querySelector(".cost")?.textContent ?? move.lost.toFixed(2);
      const [lost, best] = cost.split(", best: ");
      return [element("strong", {}, `Loss ${lost} ${this.table.unit}.`), ` Best: ${best ?? move.best}.`, ...after];
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
    const { replay } = JSON.parse(block.textContent);
    const table = globalThis.replayTable(replay);
    if (table.moves.length === 0) return;
    const player = new Player(table, shownNames());
    if (player.follow()) {
      // The browser has scrolled to the move in the list, but the link means the table.
      requestAnimationFrame(() => byId("player").scrollIntoView({ block: "start" }));
    } else {
      player.draw();
    }
  }

  begin();
})();
