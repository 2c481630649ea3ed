"use strict";
// Yahtzee at a table. `page` has the current document and sends actions.
globalThis.yahtzeeTable = (page) => {
  const {
    element,
    button,
    actButton,
    die,
    dice,
    cell,
    heading,
    columns,
    wide,
    table,
    section,
    points,
    signed,
    counted,
    worstDecisions,
  } = globalThis.tableParts;
  const UNSEEN =
    "As in the challenge, players see of each other only the scores of all, lowest first, when it is " +
    "their turn. After the game all cards are shown.";
  const WORTH =
    "Score = optimal play + luck − loss. Optimal play scores the most on average, without regard to opponents. " +
    "These values are exact.";
  /** Places of the tray, 0 to 4, whose dice are to be kept; which die of the document each place shows. */
  let kept = new Set();
  let order = [0, 1, 2, 3, 4];
  /** The places that were sent as kept, until the server has rolled. */
  let sent = null;
  /** What the last own turn has gained. */
  let last = null;

  /** Kept dice stay in their places of the tray; new ones fill the others. */
  const arrange = (before, after) => {
    const turn = after.yahtzee && after.yahtzee.turn;
    last = gained(before, after) ?? last;
    if (before && before.moves === after.moves && before.turn === after.turn) return;
    if (turn && sent && before && after.moves === before.moves + 1 && turn.rolls_left < 2) {
      const fresh = [0, 1, 2, 3, 4].filter((place) => !sent.includes(place));
      order = [];
      fresh.forEach((place, index) => {
        order[place] = index;
      });
      sent.forEach((place, index) => {
        order[place] = fresh.length + index;
      });
    } else {
      order = [0, 1, 2, 3, 4];
      kept = new Set();
      if (!before && turn) recall(after.moves);
    }
    if (turn && turn.rolls_left === 0) kept = new Set();
    sent = null;
    if (turn) remember(after.moves);
  };

  /** What is kept survives a reload of the page. */
  const remember = (moves) => page.remember({ moves, kept: [...kept], order });
  const recall = (moves) => {
    const stored = page.recall();
    const isOrder = [0, 1, 2, 3, 4].every((index) => stored?.order?.includes?.(index));
    if (stored?.moves !== moves || !isOrder || !Array.isArray(stored.kept)) return;
    order = stored.order.slice(0, 5);
    kept = new Set(stored.kept.filter((place) => [0, 1, 2, 3, 4].includes(place)));
  };

  /** Others' turns hide nothing that this page shows, except at open tables: their cards are shown at the end of the queue. */
  const past = (latest, { happenings }, next) => {
    const round = next?.round ?? happenings.at(-1)?.round ?? latest.yahtzee.round;
    const { cards } = latest.stage === "playing" ? latest.yahtzee : { cards: null };
    return { yahtzee: { ...latest.yahtzee, round, turn: null, cards, dice: null } };
  };

  const ROLLS_LEFT = ["That was the last roll: fill a box.", "One roll is left.", "Two rolls are left."];

  const saying = (before, after) => {
    const turn = after.yahtzee && after.yahtzee.turn;
    if (!turn) return "";
    const pips = order.map((index) => turn.dice[index]);
    const held = pips.filter((_, place) => kept.has(place));
    const isFirst = !before?.yahtzee?.turn;
    return [
      isFirst ? `Round ${after.yahtzee.round} of 13.` : "",
      `Dice: ${pips.join(" ")}.`,
      held.length > 0 ? `Kept: ${held.join(" ")}.` : "",
      turn.bonus > 0 ? `A further Yahtzee: ${turn.bonus} points more.` : "",
      ROLLS_LEFT[turn.rolls_left],
      // All that is seen of the others. Last, so that a key press interrupts nothing else.
      isFirst ? `Scores of all, lowest first: ${turn.scores.join(", ")}.` : "",
    ].filter(Boolean).join(" ");
  };

  /** What the reader's own card has gained, in words: others see only that the turn ends. */
  const gained = (before, after) => {
    const [old, card] = [before?.yahtzee?.card, after.yahtzee?.card];
    if (!old || !card) return null;
    const fresh = card.boxes.filter((box, index) => box.score !== null && old.boxes[index].score === null);
    if (fresh.length !== 1) return null;
    const [{ title, score }] = fresh;
    const bonuses = [["Upper bonus", "upper_bonus"], ["Yahtzee bonus", "yahtzee_bonus"]]
      .filter(([, key]) => card[key] > old[key])
      .map(([name, key]) => `${name}: ${card[key] - old[key]} points.`);
    return {
      player: after.you,
      filled: filledBoxes(card),
      shown: `${title}: ${counted(score, "point")}`,
      said: [`${title}: ${counted(score, "point")}.`, ...bonuses, `Your score is ${card.score}.`].join(" "),
    };
  };

  const filledBoxes = (card) => card.boxes.filter((box) => box.score !== null).length;

  const sections = () => {
    const position = page.shown.yahtzee;
    if (page.shown.stage !== "playing") return position.cards ? [lookedUp(allCards(position.cards))] : [];
    const turn = page.away() === null ? position.turn : null;
    return [
      element(
        "section",
        { class: page.shown.you === null ? "turn" : "turn seated", "aria-labelledby": "turn" },
        element("p", { class: "kicker" }, `Round ${position.round} of 13`),
        element("div", { class: "whose" }, page.turnTitle()),
        page.away(),
        turn ? tray(turn) : waiting(position),
        lastEvent(),
      ),
      lookedUp(position.card ? card(position.card, turn) : null, position.cards ? allCards(position.cards) : null),
      page.players(page.shown.open ? null : element("p", { class: "note" }, UNSEEN)),
      page.log(),
    ];
  };

  /** What is next to the turn where there is space. */
  const lookedUp = (...parts) => (parts.some(Boolean) ? element("div", { class: "looked-up" }, parts) : null);

  /** What the last player did. */
  const lastEvent = () => {
    const event = page.shown.happenings.at(-1);
    if (!event) return null;
    const { card } = page.shown.yahtzee;
    const isOwn = event.kind === "fill" && event.player === last?.player && last.filled === filledBoxes(card);
    return element(
      "p",
      { class: "last-event" },
      isOwn ? ["You: ", last.shown] : element("bdi", {}, event.text),
      event.dice.length > 0 ? [" ", dice(event.dice)] : "",
    );
  };

  /** The places of the dice do not change while others move. */
  const waiting = (position) => {
    const open = position.dice;
    const places = order.map((index) =>
      element("span", { class: "die-place" }, open ? die(open[index]) : element("span", { class: "blank" })),
    );
    if (open) {
      const label = `Dice: ${open.join(" ")}`;
      return element("div", { class: "tray" }, element("div", { class: "places", role: "img", "aria-label": label }, places));
    }
    const watching = "You are watching. Players see only their own dice, and you see none.";
    return element(
      "div",
      { class: "tray" },
      element("div", { class: "places", "aria-hidden": "true" }, places),
      element(
        "p",
        { class: "note" },
        page.shown.you === null ? watching : "Players see only their own dice.",
      ),
    );
  };

  const tray = (turn) => {
    const rolls = turn.rolls_left;
    const keep = (place) => {
      if (!kept.delete(place)) kept.add(place);
      remember(page.shown.moves);
      page.render();
      // A screen reader announces the state of a button that has the focus.
      if (document.activeElement?.id === `die-${place + 1}`) return;
      page.say(`Die ${place + 1}: ${turn.dice[order[place]]}, ${kept.has(place) ? "kept" : "not kept"}.`);
    };
    const one = (index, place) => {
      const pips = turn.dice[index];
      const label = `Die ${place + 1}: ${pips}`;
      if (rolls === 0)
        return element("span", { class: "die-place", role: "img", "aria-label": label }, die(pips));
      return button(`die-${place + 1}`, die(pips, kept.has(place)), () => keep(place), {
        class: "die-place",
        "aria-pressed": String(kept.has(place)),
        "aria-label": `Keep die ${place + 1}: ${pips}`,
        "aria-keyshortcuts": String(place + 1),
      });
    };
    const rolling = 5 - kept.size;
    const text = [
      "Roll",
      "Roll one die",
      "Roll 2 dice",
      "Roll 3 dice",
      "Roll 4 dice",
      "Roll all five",
    ][rolling];
    const help =
      rolls === 0
        ? "No roll is left: fill a box."
        : `${ROLLS_LEFT[rolls]} Choose the dice to keep (keys 1 to 5) and roll the others (R), or fill a box.`;
    return element(
      "div",
      { class: "tray" },
      element("div", { class: "places", role: "group", "aria-label": "Dice" }, order.map(one)),
      rolls > 0
        ? element(
            "p",
            { class: "actions" },
            actButton("roll", text, roll, {
              class: "main",
              disabled: rolling === 0,
              "aria-keyshortcuts": "r",
            }),
          )
        : null,
      element("p", { class: "note" }, help),
      turn.bonus > 0 ? element("p", {}, `A further Yahtzee: ${turn.bonus} points more.`) : null,
      element(
        "p",
        {},
        element("span", { class: "note" }, "Scores of all, lowest first: "),
        turn.scores.join(", "),
      ),
      page.hints(),
    );
  };

  const roll = () => {
    const turn = page.shown.yahtzee && page.shown.yahtzee.turn;
    if (!turn || turn.rolls_left === 0 || kept.size === 5 || page.busy) return;
    sent = [...kept].sort();
    page.act(sent.map((place) => order[place]).join("") || "-");
  };

  const card = (own, turn) => {
    const box = (one) => {
      const value = () => {
        if (one.score !== null) return String(one.score);
        if (one.now === null) return turn ? "–" : "";
        return actButton(`box-${one.category}`, String(one.now), () => page.act(one.category), {
          class: one.now === 0 ? "box nothing" : "box",
          "aria-label": `Fill ${one.title} for ${counted(one.now, "point")}`,
        });
      };
      const isFilled = one.score !== null;
      return element("tr", { class: isFilled ? "filled" : null }, heading(one.title), cell(value(), { class: "fits" }));
    };
    const part = (caption, boxes, more) =>
      element(
        "table",
        { class: "sheet" },
        element("caption", {}, caption),
        columns("Box", "Points"),
        element("tbody", {}, boxes.map(box)),
        element(
          "tfoot",
          {},
          more.map(([text, value]) =>
            element("tr", {}, heading(text), cell(String(value))),
          ),
        ),
      );
    const bonus = own.upper_bonus > 0 ? "with bonus" : "(bonus at 63)";
    return section(
      "card-title",
      "Your card",
      turn ? element("p", { class: "note" }, "A button shows what these dice score there.") : null,
      element(
        "div",
        { class: "sheets" },
        part("Upper boxes", own.boxes.slice(0, 6), [
          [`Total ${bonus}`, own.upper_total + own.upper_bonus],
        ]),
        part("Lower boxes", own.boxes.slice(6), [
          ["Yahtzee bonus", own.yahtzee_bonus],
          ["Score", own.score],
        ]),
      ),
    );
  };

  const allCards = (cards) => {
    const row = (text, value) =>
      element(
        "tr",
        {},
        heading(text),
        cards.map((one) => cell(String(value(one)))),
      );
    return section(
      "cards-title",
      "All cards",
      wide(
        "All cards",
        element(
          "table",
          {},
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              element("th", { scope: "col", class: "text" }, "Box"),
              cards.map((_, index) => element("th", { scope: "col" }, page.name(index))),
            ),
          ),
          element(
            "tbody",
            {},
            cards[0].boxes.map((box, index) =>
              row(box.title, (one) => one.boxes[index].score ?? "–"),
            ),
          ),
          element(
            "tfoot",
            {},
            row("Upper bonus", (one) => one.upper_bonus),
            row("Yahtzee bonus", (one) => one.yahtzee_bonus),
            row("Score", (one) => one.score),
          ),
        ),
      ),
    );
  };
  const report = (report) => {
    const row = (one, index) =>
      element(
        "tr",
        {},
        heading(page.name(index)),
        cell(String(one.score)),
        cell(points(one.best_play)),
        cell(signed(one.luck)),
        cell(points(one.lost)),
        cell(`${one.mistakes} of ${one.decisions}`),
      );
    const heads = ["Score", "Optimal play", "Luck", "Loss", "Mistakes"];
    const own = page.shown.you === null ? null : report.yahtzee[page.shown.you];
    return section(
      "report",
      "Luck and decisions",
      element("p", { class: "note" }, WORTH),
      wide("Luck and decisions", table({}, ["Player", ...heads], report.yahtzee, row)),
      own && own.worst.length > 0 ? worstDecisions(own.worst) : null,
    );
  };

  return { arrange, past, saying, gained, sections, report };
};
