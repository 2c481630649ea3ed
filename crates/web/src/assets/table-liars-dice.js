"use strict";
// Liar's Dice at a table. `page` has the current document and sends actions.
globalThis.liarsDiceTable = (page) => {
  const { element, button, die, dice, cell, heading, wide, table, section, diceOf } =
    globalThis.tableParts;
  /** The bid that is being composed. */
  let bid = null;

  const arrange = (before, after) => {
    if (!before || before.moves !== after.moves || before.turn !== after.turn) bid = null;
  };

  const saying = (before, after) => {
    const round = before && before.liars_dice ? before.liars_dice.round : 0;
    if (!after.liars_dice || after.liars_dice.round === round) return "";
    return `Your dice: ${after.liars_dice.dice.join(" ")}.`;
  };

  const sections = () => {
    const position = page.shown.liars_dice;
    const calls = page.shown.happenings.filter((one) => one.hands.length > 0);
    const last = position.bids.at(-1);
    if (page.shown.stage !== "playing") return [...calls.slice(-1).map(called), log()];
    return [
      element(
        "section",
        { class: page.shown.you === null ? "turn" : "turn seated", "aria-labelledby": "turn" },
        element("p", { class: "kicker" }, `Round ${position.round}`),
        page.turnTitle(),
        element(
          "p",
          { id: "last-bid", class: "last-bid" },
          last
            ? [
                page.name(last.player),
                " bids ",
                element("strong", {}, diceOf(last.count, last.face)),
                " ",
                die(last.face),
              ]
            : "No bid yet in this round.",
        ),
        hand(position),
        position.turn ? choices(position.turn) : null,
      ),
      calls.length > 0 ? called(calls.at(-1)) : null,
      players(),
    ];
  };

  const hand = (position) => {
    const last = position.bids.at(-1);
    if (!position.dice) {
      return element(
        "p",
        { class: "note" },
        page.shown.you === null
          ? "You are watching. Dice are hidden until a player calls."
          : "You are out. The others continue.",
      );
    }
    return element(
      "div",
      { class: "tray" },
      element("p", { class: "note" }, "Your dice (ones count as every face)"),
      dice(position.dice, (pips) => Boolean(last) && (pips === last.face || pips === 1)),
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
      page.render();
    };
    const form = () => {
      const counts = Array.from(
        { length: turn.most - lowest.count + 1 },
        (_, index) => lowest.count + index,
      );
      const select = element(
        "select",
        { id: "bid-count" },
        counts.map((count) =>
          element("option", { value: count, selected: count === bid.count }, String(count)),
        ),
      );
      select.addEventListener("change", () => choose(Number(select.value), bid.face));
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
          select,
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
      {},
      mayBid
        ? form()
        : element("p", { class: "note" }, "No higher bid can hold: it would need more dice than there are."),
      element(
        "p",
        { class: "actions" },
        mayBid
          ? button(
              "bid",
              `Bid ${diceOf(bid.count, bid.face)}`,
              () => page.act(`${bid.count} ${bid.face}`),
              { class: "main" },
            )
          : null,
        turn.may_call
          ? button("call", "Liar!", () => page.act("Liar!"), { class: "main call" })
          : null,
      ),
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

  const players = () => {
    const { seats, bids } = page.shown.liars_dice;
    const lastBids = new Map(bids.map((one) => [one.player, one]));
    const held = (player) => (seats.find((one) => one.player === player) || { dice: 0 }).dice;
    const cells = (player) => {
      const last = lastBids.get(player);
      const bidden = last ? diceOf(last.count, last.face) : "–";
      return [cell(String(held(player))), cell(bidden, { class: "text" })];
    };
    const state = (player) => (held(player) === 0 ? "out" : "");
    return page.players(["Dice", "Bid:"], cells, state, log());
  };

  const log = () =>
    element(
      "details",
      { id: "log" },
      element("summary", {}, "What happened"),
      element(
        "ol",
        // The focus makes it scrollable by keyboard.
        {
          id: "lines",
          class: "log",
          reversed: true,
          tabindex: "0",
          "aria-label": "What happened, latest first",
        },
        [...page.shown.happenings]
          .reverse()
          .map((one) =>
            element(
              "li",
              { value: one.number },
              element("span", { class: "note" }, `Round ${one.round} `),
              element("bdi", {}, one.text),
            ),
          ),
      ),
    );

  const report = (report) => {
    const numbers = (one) => [one.calls_right, one.calls_wrong, one.bids_held, one.bids_fallen];
    const row = (one, index) =>
      element(
        "tr",
        {},
        heading(page.name(index)),
        numbers(one).map((number) => cell(String(number))),
      );
    const heads = ["Right calls", "Wrong calls", "Called bids that held", "Called bids that fell"];
    return section(
      "report",
      "Calls and bids",
      wide("Calls and bids", table({}, ["Player", ...heads], report.liars_dice, row)),
    );
  };

  return { arrange, saying, sections, report };
};
