"use strict";

// The tables of recorded games: what the page of a game shows in one position. `replay.js` chooses the position.
(() => {
  /** Rows of the cards that are sums. */
  const SUMS = ["upper_bonus", "yahtzee_bonus", "score"];
  /** Points in the upper section for its bonus. */
  const UPPER_GOAL = 63;

  const { byId, element, diceOf, die, dice: drawn } = globalThis.elements;

  /** A bid: the number and a die, and in words for screen readers. */
  function shownBid({ count, face }) {
    const seen = element("span", { class: "bid-seen" }, `${count} × `, die(face, false));
    seen.setAttribute("aria-hidden", "true");
    return [seen, element("span", { class: "unseen" }, diceOf(count, face))];
  }

  /** The players around the table. */
  class Seats {
    constructor() {
      this.seats = [...byId("seats").children];
    }

    /** Shows for each seat its hand and what is written below it, and marks the seat that moves. */
    show(acting, shown) {
      this.seats.forEach((seat, index) => {
        const { hand, said, isOut } = shown(index);
        seat.querySelector(".replay-hand").replaceChildren(...hand);
        seat.querySelector(".replay-said").replaceChildren(...said);
        seat.classList.toggle("out", isOut);
        if (index === acting) seat.setAttribute("aria-current", "true");
        else seat.removeAttribute("aria-current");
      });
    }
  }

  /** The dice of the move, and the cards, which are filled move by move. */
  class YahtzeeTable {
    constructor(replay) {
      this.moves = replay.moves;
      this.unit = "points";
      this.seats = new Seats();
      this.table = byId("cards");
      const rows = [...this.table.querySelectorAll("tr[data-box]")];
      this.cells = new Map(rows.map((row) => [row.dataset.box, [...row.querySelectorAll("td")]]));
      this.upper = rows.slice(0, 6).map((row) => row.dataset.box);
      this.headings = [...this.table.querySelectorAll("thead th")].slice(1);
    }

    show(index) {
      const move = this.moves[index];
      byId("place").textContent = `Round ${move.round} of 13, roll ${move.stage + 1} of 3`;
      byId("middle").replaceChildren(drawn(move.dice, (_, place) => move.kept.includes(place)));
      const cards = this.cardsAfter(index);
      this.fill(cards, move);
      this.seats.show(move.seat, (seat) => ({ hand: [], said: this.score(cards[seat]), isOut: false }));
    }

    /** The boxes of each seat after the move. */
    cardsAfter(index) {
      const cards = this.headings.map(() => new Map());
      for (const { seat, filled } of this.moves.slice(0, index + 1)) {
        if (!filled) continue;
        cards[seat].set(filled.category, filled.points);
        for (const sum of SUMS) cards[seat].set(sum, filled[sum]);
      }
      return cards;
    }

    score(card) {
      const upper = this.upper.reduce((sum, box) => sum + (card.get(box) ?? 0), 0);
      return [
        element("strong", {}, String(card.get("score") ?? 0)),
        element("span", { class: "unseen" }, " points, "),
        element("span", { class: "note" }, ` upper ${upper} of ${UPPER_GOAL}`),
      ];
    }

    fill(cards, move) {
      for (const [box, cells] of this.cells) {
        const empty = SUMS.includes(box) ? "0" : "–";
        cells.forEach((cell, seat) => {
          cell.textContent = cards[seat].get(box) ?? empty;
          cell.classList.toggle("fresh", seat === move.seat && move.filled?.category === box);
        });
      }
      this.headings.forEach((heading, seat) => heading.classList.toggle("acting", seat === move.seat));
      this.reveal(this.headings[move.seat]);
    }

    /** Scrolls a wide table, and nothing else, to the seat that moves. */
    reveal(heading) {
      const wide = this.table.parentElement;
      const left = heading.offsetLeft - this.table.offsetLeft;
      const named = this.table.querySelector("th").offsetWidth;
      const isHidden = left < wide.scrollLeft + named || left + heading.offsetWidth > wide.scrollLeft + wide.clientWidth;
      if (wide.scrollWidth > wide.clientWidth && isHidden) wide.scrollLeft = left - named;
    }

    /** The player's dice, in words. */
    held(index) {
      return this.moves[index].dice.join(" ");
    }

    odds() {
      return "";
    }
  }

  /** Hands and bids; a seat's view has only its own dice until a call. */
  class LiarsDiceTable {
    constructor(replay) {
      this.moves = replay.moves;
      this.rounds = replay.rounds;
      this.unit = "dice";
      this.seats = new Seats();
      this.viewed = byId("view");
    }

    show(index) {
      const move = this.moves[index];
      const round = this.round(move);
      const bids = this.moves.slice(round.first - 1, index + 1).filter((one) => one.bid);
      const last = new Map(bids.map((one) => [one.seat, one.bid]));
      const dice = round.hands.reduce((sum, hand) => sum + hand.dice.length, 0);
      byId("place").textContent = `Round ${move.round}, ${dice} dice at the table`;
      byId("middle").replaceChildren(...this.middle(move, bids.at(-1)));
      this.seats.show(move.seat, (seat) => {
        const hand = round.hands.find((one) => one.seat === seat);
        const said = this.said(last.get(seat), move, seat);
        return hand ? { hand: [this.hand(hand, move)], said, isOut: false } : { hand: [], said: ["out"], isOut: true };
      });
      this.list(bids, move);
    }

    round(move) {
      return this.rounds.findLast((one) => one.first <= move.number);
    }

    /** The bid that stands, or what a call came to. */
    middle(move, last) {
      if (move.call) {
        const { there, bid, held } = move.call;
        return [
          element("p", { class: "replay-bid" }, "Liar! Bid: ", ...shownBid(bid)),
          element("p", {}, `There ${there === 1 ? "is" : "are"} ${diceOf(there, bid.face)}: the bid ${held ? "holds" : "falls"}.`),
        ];
      }
      return [element("p", { class: "replay-bid" }, ...(last ? ["Bid: ", ...shownBid(last.bid)] : ["No bid yet"]))];
    }

    isHidden(seat, move) {
      return this.viewed.value !== "" && Number(this.viewed.value) !== seat && !move.call;
    }

    hand({ seat, dice }, move) {
      const counts = (pip) => move.call !== null && (pip === 1 || pip === move.call.bid.face);
      return drawn(this.isHidden(seat, move) ? dice.map(() => 0) : dice, counts);
    }

    said(bid, move, seat) {
      if (move.call && move.seat === seat) return [element("strong", {}, "Liar!")];
      if (move.failure && move.seat === seat) return [element("strong", {}, "out")];
      return bid ? shownBid(bid) : [];
    }

    /** The bids of the round so far, the last one marked. */
    list(bids, move) {
      const names = this.seats.seats.map((seat) => seat.querySelector("bdi").textContent);
      const items = bids.map((one) => {
        const item = element("li", {}, element("bdi", {}, names[one.seat]), ": ", diceOf(one.bid.count, one.bid.face));
        item.classList.toggle("current-bid", one === move);
        return item;
      });
      byId("bids").replaceChildren(...items);
    }

    /** The player's dice, in words; nothing if the chosen view hides them. */
    held(index) {
      const move = this.moves[index];
      const hand = this.round(move).hands.find((one) => one.seat === move.seat);
      return hand && !this.isHidden(move.seat, move) ? hand.dice.join(" ") : "";
    }

    /** The probability of a bid, in words. */
    odds(move) {
      if (move.chance === null || !move.bid || this.isHidden(move.seat, move)) return "";
      return `By these dice alone the bid holds with probability ${Math.round(100 * move.chance)} %.`;
    }
  }

  /** The table of a game's moves. */
  globalThis.replayTable = ({ yahtzee, liars_dice: liarsDice }) =>
    yahtzee ? new YahtzeeTable(yahtzee) : new LiarsDiceTable(liarsDice);
})();
