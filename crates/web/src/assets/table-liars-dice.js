"use strict";
// Liar's Dice at a table. `page` has the current document and sends actions.
globalThis.liarsDiceTable = (page) => {
  const {
    element, button, actButton, die, dice, hiddenDice, cell, heading, wide, table, section, diceOf, counted, points, signed, worstDecisions,
  } = globalThis.tableParts;
  /** The bid that is being composed. */
  let bid = null;

  const arrange = (before, after) => {
    if (before && before.moves === after.moves && before.turn === after.turn) return;
    bid = null;
    const kept = before ? null : page.recall();
    if (kept?.bid && kept.moves === after.moves && after.liars_dice?.turn) bid = kept.bid;
  };

  /** The position as it was after the last of `happenings`, of which a call may be in view. */
  const past = (latest, { happenings }, next, isReveal) => {
    const last = happenings.at(-1);
    const round = isReveal ? last.round : (next?.round ?? latest.liars_dice.round);
    const bids = happenings.filter((one) => one.kind === "bid" && one.round === round).map((one) => one.bid);
    const counts = happenings.findLast((one) => one.seats.length > 0)?.seats ?? next?.seats ?? latest.liars_dice.seats;
    const call = latest.happenings.find((one) => one.kind === "call" && one.round === round);
    const hand = call?.hands.find((one) => one.player === latest.you)?.dice;
    const own = hand ?? (latest.liars_dice.round === round ? latest.liars_dice.dice : null);
    return {
      reveal: isReveal,
      liars_dice: { round, seats: counts, dice: own, bids, turn: null, winner: null },
    };
  };

  const saying = (before, after) => {
    const round = before && before.liars_dice && !before.past ? before.liars_dice.round : 0;
    if (!after.liars_dice?.dice || after.liars_dice.round === round) return "";
    return `Your dice: ${after.liars_dice.dice.join(" ")}.`;
  };

  /** Everyone sees everything that a player does. */
  const gained = () => null;

  const calls = () => page.shown.happenings.filter((one) => one.hands.length > 0);

  const sections = () => {
    const position = page.shown.liars_dice;
    const last = calls().at(-1);
    if (page.shown.stage !== "playing") return [last ? called(last) : null, page.log()];
    return [
      element(
        "section",
        { class: page.shown.you === null ? "turn" : "turn seated", "aria-labelledby": "turn" },
        element("p", { class: "kicker" }, `Round ${position.round}`),
        element("div", { class: "whose" }, page.turnTitle()),
        page.away(),
        opponents(position),
        page.shown.reveal ? verdict(last) : claim(position),
        hand(position),
        position.turn && page.away() === null ? choices(position.turn) : null,
      ),
      last && !page.shown.reveal ? called(last) : null,
      page.log(),
    ];
  };

  /** What the others have in sight: the number of their dice, and their last bids. */
  const opponents = (position) => {
    const { shown } = page;
    const call = shown.reveal ? calls().at(-1) : null;
    const lastBids = new Map(position.bids.map((one) => [one.player, one]));
    const counts = (pips) => call && (pips === call.face || pips === 1);
    const one = (player, index) => {
      const hand = call?.hands.find((hand) => hand.player === index);
      const held = hand ? hand.dice.length : (position.seats.find((seat) => seat.player === index)?.dice ?? 0);
      const last = lastBids.get(index);
      const isActing = page.isNow(index) && !shown.reveal;
      return element(
        "li",
        { class: ["player-card", isActing ? "acting" : "", held === 0 ? "out" : ""].join(" ").trim() },
        element(
          "span",
          { class: "player-name" },
          page.name(index),
          player.absence ? element("span", { class: "note" }, " (a bot plays)") : null,
        ),
        held === 0 ? element("span", { class: "note" }, "out") : hand ? dice(hand.dice, counts) : hiddenDice(held),
        element("span", { class: "said-bid" }, said(call, last, index, isActing)),
      );
    };
    const others = shown.players.map((player, index) => (index === shown.you ? null : one(player, index)));
    return element("ul", { class: "opponents", "aria-label": "Players" }, others);
  };

  const said = (call, last, index, isActing) => {
    if (call && call.player === index) return element("strong", {}, "Liar!");
    if (last) return diceOf(last.count, last.face);
    return isActing ? element("span", { class: "note" }, "thinking …") : "";
  };

  /** The bid to raise or to call. */
  const claim = (position) => {
    const last = position.bids.at(-1);
    const turn = position.turn && page.away() === null ? position.turn : null;
    return element(
      "div",
      { class: last ? "claim" : "claim open" },
      element(
        "p",
        { id: "last-bid", class: "last-bid" },
        last
          ? [
              element("span", {}, last.player === page.shown.you ? "You bid " : [page.name(last.player), " bids "]),
              element("strong", {}, diceOf(last.count, last.face)),
              " ",
              die(last.face),
            ]
          : "No bid yet in this round.",
      ),
      turn?.may_call
        ? actButton(
            "call",
            ["Liar!", element("small", {}, `There are fewer than ${diceOf(last.count, last.face)}`)],
            () => page.act("Liar!"),
            { class: "call", "aria-keyshortcuts": "l" },
          )
        : null,
    );
  };

  /** What a call comes to, while it is in view. */
  const verdict = (call) =>
    element(
      "div",
      { class: call.holds ? "claim verdict holds" : "claim verdict falls" },
      element(
        "p",
        { class: "last-bid" },
        `${diceOf(call.bid.count, call.bid.face)}: `.replace(/^./, (first) => first.toUpperCase()),
        element("strong", {}, call.holds ? "the bid holds" : "the bid falls"),
      ),
      element("p", {}, element("bdi", {}, call.text), "."),
    );

  const hand = (position) => {
    const call = page.shown.reveal ? calls().at(-1) : null;
    const face = call ? call.face : position.bids.at(-1)?.face;
    if (!position.dice) {
      return element(
        "p",
        { class: "note" },
        page.shown.you === null
          ? "You are watching. Dice are hidden until a player calls."
          : "You are out. The others continue.",
      );
    }
    const counting = position.dice.filter((pips) => face && (pips === face || pips === 1)).length;
    const text = face ? `Your dice: ${counted(counting, "counts", "count")} for this bid` : "Your dice. Ones count as every face";
    return element(
      "div",
      { class: "tray own" },
      element("p", { class: "note" }, text),
      dice(position.dice, (pips) => Boolean(face) && (pips === face || pips === 1)),
    );
  };

  const choices = (turn) => {
    const lowest = turn.lowest;
    const mayBid = lowest !== null && lowest.count <= turn.most;
    if (mayBid && !bid) bid = { count: lowest.count, face: lowest.face };
    const isHigher = (count, face) =>
      count > lowest.count || (count === lowest.count && face >= lowest.face);
    const choose = (count, face) => {
      bid = { count, face: isHigher(count, face) ? face : lowest.face };
      page.remember({ moves: page.shown.moves, bid });
      page.render();
      page.say(`${diceOf(bid.count, bid.face)}.`.replace(/^./, (first) => first.toUpperCase()));
    };
    /** A step that leads nowhere keeps the focus, from where the reader steps back. */
    const change = (id, label, text, by) => {
      const count = bid.count + by;
      const leadsNowhere = count < lowest.count || count > turn.most;
      return button(id, text, () => choose(leadsNowhere ? bid.count : count, bid.face), {
        class: "step",
        "aria-label": label,
        "aria-disabled": String(leadsNowhere),
      });
    };
    const form = () => {
      // A list would do, but screen readers follow the choices of a list that a script changes, away from the reader's place.
      const number = element("input", {
        id: "bid-count",
        type: "number",
        min: lowest.count,
        max: turn.most,
        value: bid.count,
        onchange: ({ target }) =>
          choose(Math.min(Math.max(Math.round(target.valueAsNumber) || bid.count, lowest.count), turn.most), bid.face),
      });
      const face = (pips) =>
        button(`face-${pips}`, die(pips, bid.face === pips), () => choose(bid.count, pips), {
          class: "die-place",
          "aria-pressed": String(bid.face === pips),
          "aria-label": diceOf(2, pips).replace("two ", ""),
          disabled: !isHigher(bid.count, pips),
          "aria-keyshortcuts": String(pips),
        });
      return element(
        "div",
        { class: "bid" },
        element(
          "p",
          { class: "field" },
          element("label", { for: "bid-count" }, "Number of dice"),
          change("fewer", "One die fewer", "−", -1),
          number,
          change("more", "One die more", "+", 1),
        ),
        element(
          "div",
          { class: "places", role: "group", "aria-label": "Face" },
          [1, 2, 3, 4, 5, 6].map(face),
        ),
      );
    };
    return element(
      "div",
      { class: "raise" },
      mayBid
        ? form()
        : element("p", { class: "note" }, "No higher bid can hold: it would need more dice than there are."),
      mayBid
        ? element(
            "p",
            { class: "actions" },
            actButton(
              "bid",
              `Bid ${diceOf(bid.count, bid.face)}`,
              () => page.act(`${bid.count} ${bid.face}`),
              { class: "main", "aria-keyshortcuts": "b" },
            ),
          )
        : null,
      page.hints(),
    );
  };

  const called = (call) => {
    const counts = (pips) => pips === call.face || pips === 1;
    const row = (one) =>
      element(
        "tr",
        {},
        heading(page.name(one.player)),
        cell(dice(one.dice, counts), { class: "text" }),
      );
    return section(
      "call-title",
      `The last call, in round ${call.round}`,
      element("p", {}, element("bdi", {}, call.text), "."),
      wide("Hands", table({ class: "hands" }, ["Player", "Dice:"], call.hands, row)),
    );
  };

  const WORTH =
    "Values are in dice: hidden dice are fair, and the next player calls a bid that is more likely to fail than to hold. " +
    "Luck is what was won beyond that on average. Bids hold or fall when they are called.";

  const report = (report) => {
    const numbers = (one) => [one.calls_right, one.calls_wrong, one.bids_held, one.bids_fallen];
    const row = (one, index) =>
      element(
        "tr",
        {},
        heading(page.name(index)),
        cell(signed(one.luck)),
        cell(points(one.lost)),
        cell(`${one.mistakes} of ${one.decisions}`),
        numbers(one).map((number) => cell(String(number))),
      );
    const heads = [
      "Luck (dice)",
      "Loss (dice)",
      "Mistakes",
      "Right calls",
      "Wrong calls",
      "Bids held",
      "Bids fell",
    ];
    const own = page.shown.you === null ? null : report.liars_dice[page.shown.you];
    return section(
      "report",
      "Luck and decisions",
      element("p", { class: "note" }, WORTH),
      wide("Luck and decisions", table({ class: "folding" }, ["Player", ...heads], report.liars_dice, row)),
      own && own.worst.length > 0 ? worstDecisions(own.worst) : null,
    );
  };

  return { arrange, past, saying, gained, sections, report };
};
