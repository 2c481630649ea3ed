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
    counted,
  } = globalThis.tableParts;
  const UNSEEN =
    "As in the challenge, players see of each other only the scores of all, lowest first, when it is " +
    "their turn. After the game all cards are shown.";
  const WORTH =
    "The score is what the best play scores in the mean, plus the luck of the dice, minus what " +
    "decisions lost. These values are exact.";
  /** Places of the tray, 0 to 4, whose dice are to be kept; which die of the document each place shows. */
  let kept = new Set();
  let order = [0, 1, 2, 3, 4];
  /** The places that were sent as kept, until the server has rolled. */
  let sent = null;

  /** Kept dice stay in their places of the tray; new ones fill the others. */
  const arrange = (before, after) => {
    const turn = after.yahtzee && after.yahtzee.turn;
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

  const saying = (_before, after) => {
    const turn = after.yahtzee && after.yahtzee.turn;
    return turn ? `Dice: ${order.map((index) => turn.dice[index]).join(" ")}.` : "";
  };

  const sections = () => {
    const position = page.shown.yahtzee;
    if (page.shown.stage !== "playing") return position.cards ? [allCards(position.cards)] : [];
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
      position.card ? card(position.card, turn) : null,
      position.cards ? allCards(position.cards) : null,
      page.players(
        [],
        () => [],
        () => "",
        page.shown.open ? null : element("p", { class: "note" }, UNSEEN),
      ),
      page.log(),
    ];
  };

  /** What the last player did. */
  const lastEvent = () => {
    const last = page.shown.happenings.at(-1);
    if (!last) return null;
    return element(
      "p",
      { class: "last-event" },
      element("bdi", {}, last.text),
      last.dice.length > 0 ? [" ", dice(last.dice)] : "",
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
        : `${rolls === 2 ? "Two rolls are" : "One roll is"} left. Choose the dice to keep (keys 1 to 5) and roll the others (R), or fill a box.`;
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
        turn.scores.join(" · "),
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
          class: "box",
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
    const bonus = own.upper_bonus > 0 ? "with bonus" : "of 63";
    return section(
      "card-title",
      "Your card",
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
    const sign = (number) => (number < 0 ? "− " : "+ ") + points(Math.abs(number));
    const row = (one, index) =>
      element(
        "tr",
        {},
        heading(page.name(index)),
        cell(String(one.score)),
        cell(points(one.best_play)),
        cell(sign(one.luck)),
        cell(`− ${points(one.lost)}`),
        cell(`${one.mistakes} of ${one.decisions}`),
      );
    const heads = ["Score", "Best play", "Luck", "Lost", "Decisions that lost points"];
    const own = page.shown.you === null ? null : report.yahtzee[page.shown.you];
    return section(
      "report",
      "What decisions were worth",
      element("p", { class: "note" }, WORTH),
      wide("What decisions were worth", table({}, ["Player", ...heads], report.yahtzee, row)),
      own && own.worst.length > 0 ? worst(own.worst) : null,
    );
  };

  const worst = (mistakes) => {
    const row = (one) =>
      element(
        "tr",
        {},
        heading(String(one.round)),
        cell(dice(one.dice), { class: "text" }),
        cell(one.chosen, { class: "text" }),
        cell(one.best, { class: "text" }),
        cell(points(one.loss)),
      );
    const heads = ["Round", "Dice:", "You:", "Best:", "Lost"];
    return [
      element("h3", {}, "Your worst decisions"),
      wide("Your worst decisions", table({ class: "hands record" }, heads, mistakes, row)),
    ];
  };

  return { arrange, past, saying, sections, report };
};
