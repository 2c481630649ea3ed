"use strict";
// A table: shows what the server says that whoever looks may see, and sends what they do.
(() => {
  const root = document.getElementById("table");
  if (!root) return;
  const address = `/api/v1/tables/${root.dataset.table}`;
  const said = document.getElementById("said");
  const trouble = document.getElementById("trouble");
  /** Of what happened while nobody was asked, so much is said aloud; all of it can be read. */
  const MOST_SAID = 8;
  const FACES = ["one", "two", "three", "four", "five", "six"];

  /** The document that is shown. */
  let shown = null;
  let events = null;
  let busy = false;
  let hint = null;
  let report = null;
  /** Places of the tray, 0 to 4, whose dice are to be kept; which die of the document each place shows. */
  let kept = new Set();
  let order = [0, 1, 2, 3, 4];
  /** The places that were sent to be kept, until the server has rolled. */
  let sent = null;
  /** The bid that is being put together. */
  let bid = null;

  // Elements.

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "onclick") made.addEventListener("click", value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined)
        made.setAttribute(key, value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return made;
  };
  const button = (id, text, onclick, attributes = {}) =>
    element("button", { type: "button", id, onclick, ...attributes }, text);
  const name = (player) => element("bdi", {}, shown.players[player].name);
  const die = (pips, marked = false) => {
    const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    drawing.setAttribute("class", marked ? "die marked" : "die");
    drawing.setAttribute("aria-hidden", "true");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `#d${pips}`);
    drawing.append(use);
    return drawing;
  };
  const dice = (pips, counted = () => false) =>
    element(
      "span",
      { class: "dice", role: "img", "aria-label": pips.join(" ") },
      pips.map((one) => die(one, counted(one))),
    );
  const cell = (text, attributes = {}) => element("td", attributes, text);
  const heading = (text, attributes = {}) =>
    element("th", { scope: "row", class: "text", ...attributes }, text);
  /** The heads of columns; those that end with `:` are over text, as the first is. */
  const columns = (...names) =>
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        names.map((text, index) =>
          element(
            "th",
            { scope: "col", class: index === 0 || text.endsWith(":") ? "text" : null },
            text.replace(/:$/, ""),
          ),
        ),
      ),
    );
  const wide = (label, ...children) =>
    element(
      "div",
      { class: "wide", tabindex: "0", role: "region", "aria-label": `${label}, as a table` },
      children,
    );
  const diceOf = (count, face) =>
    count === 1
      ? `1 ${FACES[face - 1]}`
      : `${count} ${face === 6 ? "sixes" : `${FACES[face - 1]}s`}`;
  const points = (number) => number.toFixed(2);
  const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

  // Talking with the server.

  const tell = (text) => {
    trouble.textContent = text;
    trouble.hidden = text === "";
  };

  const ask = async (path, body) => {
    const options =
      body === undefined
        ? {}
        : {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify(body),
          };
    const response = await fetch(address + path, options);
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    const error = new Error(answer.error || `the server answers ${response.status}`);
    error.status = response.status;
    throw error;
  };

  const explain = (error) =>
    tell(error.status ? `${error.message}.` : "The server cannot be reached.");

  /** Does one thing at a time; what went wrong is told. */
  const attempt = async (work) => {
    if (busy) return;
    busy = true;
    root.setAttribute("aria-busy", "true");
    try {
      await work();
      tell("");
    } catch (error) {
      sent = null;
      explain(error);
      if (error.status === 409) await refresh();
    } finally {
      busy = false;
      root.removeAttribute("aria-busy");
    }
  };

  const refresh = async () => {
    try {
      show(await ask(""));
    } catch (error) {
      explain(error);
      if (error.status === 404 && events) events.close();
    }
  };

  const act = (action) =>
    attempt(async () => show(await ask("/actions", { action, move: shown.moves })));

  const sit = (typed) =>
    attempt(async () => {
      show(await ask("/seats", { name: typed }));
      listen();
    });

  const askForHint = () =>
    attempt(async () => {
      const moves = shown.moves;
      const answer = await ask("/hint");
      if (shown.moves !== moves) return;
      hint = answer;
      render();
      const best = hint.choices[0];
      if (best) say(`Best: ${best.text}, ${worth(best)}.`);
    });

  const askForReport = async () => {
    try {
      report = await ask("/report");
      render();
    } catch (error) {
      explain(error);
    }
  };

  /** Listens for news, as whoever sits here now. */
  const listen = () => {
    if (events) events.close();
    events = new EventSource(`${address}/events`);
    events.addEventListener("message", (event) => {
      if (!shown || Number(event.data) !== shown.version) refresh();
    });
    events.addEventListener("error", () => {
      if (events.readyState === EventSource.CLOSED) refresh();
    });
  };

  // What has changed.

  const say = (text) => {
    said.textContent = text;
  };

  const show = (table) => {
    const before = shown;
    if (before && before.you === table.you && before.version >= table.version) return;
    shown = table;
    if (!before || before.moves !== table.moves || before.turn !== table.turn) {
      hint = null;
      bid = null;
    }
    arrange(before, table);
    render();
    announce(before, table);
    const over = table.stage === "over" || table.stage === "void";
    if (over && !report) askForReport();
    if (over && events) events.close();
  };

  /** Dice that were kept stay in their places of the tray; new ones fill the others. */
  const arrange = (before, table) => {
    const turn = table.yahtzee && table.yahtzee.turn;
    if (before && before.moves === table.moves && before.turn === table.turn) return;
    if (turn && sent && before && table.moves === before.moves + 1 && turn.rolls_left < 2) {
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
    }
    if (turn && turn.rolls_left === 0) kept = new Set();
    sent = null;
  };

  const isYours = (table) =>
    table.stage === "playing" && table.you !== null && table.turn === table.you;

  const announce = (before, table) => {
    const parts = [];
    const last = before
      ? before.happenings.length
        ? before.happenings.at(-1).number
        : 0
      : Infinity;
    table.happenings
      .filter((one) => one.number > last)
      .slice(-MOST_SAID)
      .forEach((one) => parts.push(`${one.text}.`));
    if (!before || before.stage !== table.stage) parts.push(stageInWords(table));
    if (isYours(table)) {
      if (!before || !isYours(before)) parts.push("Your turn.");
      const turn = table.yahtzee && table.yahtzee.turn;
      if (turn) parts.push(`Dice: ${order.map((index) => turn.dice[index]).join(" ")}.`);
      const round = before && before.liars_dice ? before.liars_dice.round : 0;
      if (table.liars_dice && table.liars_dice.round !== round)
        parts.push(`Your dice: ${table.liars_dice.dice.join(" ")}.`);
    }
    const text = parts.filter((part) => part !== "").join(" ");
    if (text !== "") say(text);
    document.title = `${isYours(table) ? "Your turn · " : ""}${table.title} · dicehill`;
  };

  const stageInWords = (table) => {
    if (table.stage === "over") return winners(table);
    if (table.stage === "void") return "A fault has ended the game; it counts for nobody.";
    return table.stage === "playing" ? "The game has begun." : "";
  };

  const winners = (table) => {
    const names = table.players
      .filter((_, index) => table.results[index].won)
      .map((player) => player.name);
    if (names.length === 0) return "The game is over, and nobody has won: turns are limited.";
    return `The game is over. ${names.join(" and ")} ${names.length === 1 ? "wins" : "win"}.`;
  };

  // The page.

  const render = () => {
    const focused = document.activeElement && document.activeElement.id;
    const open = new Set([...root.querySelectorAll("details[open]")].map((one) => one.id));
    root.replaceChildren(...sections().flat().filter(Boolean));
    open.forEach((id) => {
      const details = document.getElementById(id);
      if (details) details.open = true;
    });
    const again = focused && document.getElementById(focused);
    if (again && again !== document.activeElement && root.contains(again))
      again.focus({ preventScroll: true });
    else if (focused && !document.getElementById(focused)) document.getElementById("turn").focus();
  };

  const sections = () => {
    if (shown.stage === "gathering") return [gathering()];
    const game = shown.yahtzee ? yahtzee() : liarsDice();
    return shown.stage === "playing" ? [...game, players()] : [results(), ...reports(), ...game];
  };

  const title = (text) => element("h2", { id: "turn", tabindex: "-1" }, text);

  const turnTitle = () => {
    if (isYours(shown)) return title("Your turn");
    const player = shown.players[shown.turn];
    return title([name(shown.turn), player.bot ? " is thinking …" : " is to move …"]);
  };

  const gathering = () => {
    const free = shown.free_seats;
    const link = element("input", { id: "link", readonly: true, value: location.href });
    const copy = button("copy-link", "Copy the link", async () => {
      link.select();
      try {
        await navigator.clipboard.writeText(link.value);
        say("The link is copied.");
        copy.textContent = "Copied";
      } catch {
        say("The link is selected: copy it with your keyboard.");
      }
    });
    return element(
      "section",
      { "aria-labelledby": "turn" },
      title(`Waiting for ${free === 1 ? "one more player" : `${free} more players`}`),
      shown.you === null
        ? sitForm()
        : element(
            "p",
            { class: "note" },
            "You sit at the table. The game begins by itself when all seats are taken.",
          ),
      element(
        "p",
        { class: "field" },
        element("label", { for: "link" }, "Share this link"),
        link,
        copy,
      ),
      element("h3", {}, "At the table"),
      element(
        "ul",
        {},
        shown.players.map((player, index) =>
          element(
            "li",
            {},
            name(index),
            index === shown.you ? " (you)" : "",
            player.bot ? element("span", { class: "note" }, ` · ${player.bot}`) : null,
          ),
        ),
      ),
    );
  };

  const sitForm = () => {
    const input = element("input", {
      id: "sit-name",
      name: "name",
      maxlength: "64",
      autocomplete: "nickname",
      placeholder: "Player",
    });
    const form = element(
      "form",
      { id: "sit-form" },
      element("p", { class: "field" }, element("label", { for: "sit-name" }, "Your name"), input),
      element("p", {}, element("button", { id: "sit", type: "submit", class: "main" }, "Sit down")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      sit(input.value);
    });
    return form;
  };

  /** Who plays; in Liar's Dice with the dice they hold. */
  const players = () => {
    const holders = shown.liars_dice ? shown.liars_dice.seats : [];
    const lastBids = new Map(
      (shown.liars_dice ? shown.liars_dice.bids : []).map((one) => [one.player, one]),
    );
    const row = (player, index) => {
      const holder = holders.find((one) => one.player === index);
      const last = lastBids.get(index);
      const state = index === shown.turn ? "to move" : shown.liars_dice && !holder ? "out" : "";
      return element(
        "tr",
        { class: index === shown.turn ? "to-move" : null },
        heading([
          name(index),
          index === shown.you ? " (you)" : "",
          player.bot ? element("span", { class: "note" }, " bot") : null,
        ]),
        shown.liars_dice ? cell(holder ? String(holder.dice) : "0") : null,
        shown.liars_dice
          ? cell(last ? diceOf(last.count, last.face) : "–", { class: "text" })
          : null,
        cell(state, { class: "text" }),
      );
    };
    const names = shown.liars_dice ? ["Player", "Dice", "Bid:", "Now:"] : ["Player", "Now:"];
    return element(
      "section",
      { "aria-labelledby": "players-title" },
      element("h2", { id: "players-title" }, "Players"),
      wide(
        "Players",
        element(
          "table",
          { class: "seats" },
          columns(...names),
          element("tbody", {}, shown.players.map(row)),
        ),
      ),
      shown.liars_dice
        ? log()
        : element(
            "p",
            { class: "note" },
            "As in the challenge, players see of each other only the scores of all, lowest first, when it is their turn. After the game all cards are shown.",
          ),
    );
  };

  const log = () =>
    element(
      "details",
      { id: "log" },
      element("summary", {}, "What happened"),
      element(
        "ol",
        { class: "log", reversed: true },
        [...shown.happenings]
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

  const worth = (choice) =>
    choice.value === null
      ? `${(100 * choice.chance).toFixed(1)} %`
      : `${points(choice.value)} points to come`;

  const hints = () => {
    const button_ = button("hint", "Hint", askForHint, { "aria-keyshortcuts": "h" });
    if (!hint) return element("div", { class: "hints" }, button_);
    const isYahtzee = hint.choices.some((choice) => choice.value !== null);
    const row = (choice) =>
      element(
        "tr",
        {},
        heading(choice.text),
        isYahtzee ? cell(points(choice.value)) : cell(worth(choice)),
        isYahtzee
          ? cell(choice.loss < 0.005 ? "" : points(choice.loss))
          : cell(choice.exact, { class: "text fraction" }),
      );
    const names = isYahtzee
      ? ["Choice", "Points to come", "Less"]
      : ["Choice", "Chance", "Exactly:"];
    return element(
      "div",
      { class: "hints" },
      button_,
      element(
        "div",
        { class: "bar" },
        wide(
          "Hints",
          element(
            "table",
            { id: "hints" },
            columns(...names),
            element("tbody", {}, hint.choices.map(row)),
          ),
        ),
        element("p", { class: "note" }, hint.note),
      ),
    );
  };

  // Yahtzee.

  const yahtzee = () => {
    const position = shown.yahtzee;
    if (shown.stage !== "playing") return position.cards ? [allCards(position.cards)] : [];
    const turn = position.turn;
    return [
      element(
        "section",
        { class: shown.you === null ? "turn" : "turn seated", "aria-labelledby": "turn" },
        element("p", { class: "kicker" }, `Round ${position.round} of 13`),
        turnTitle(),
        turn ? tray(turn) : null,
        shown.you === null
          ? element(
              "p",
              { class: "note" },
              "You are watching. Nobody sees another's dice, and neither do you.",
            )
          : null,
      ),
      position.card ? card(position.card, turn) : null,
    ];
  };

  const tray = (turn) => {
    const rolls = turn.rolls_left;
    const keep = (place) => {
      if (!kept.delete(place)) kept.add(place);
      render();
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
            button("roll", text, roll, {
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
      hints(),
    );
  };

  const roll = () => {
    const turn = shown.yahtzee && shown.yahtzee.turn;
    if (!turn || turn.rolls_left === 0 || kept.size === 5 || busy) return;
    sent = [...kept].sort();
    act(sent.map((place) => order[place]).join("") || "-");
  };

  const card = (own, turn) => {
    const box = (one) => {
      const now =
        one.now === null
          ? cell(one.score === null && turn ? "–" : "", { class: "now" })
          : cell(
              button(`box-${one.category}`, String(one.now), () => act(one.category), {
                class: "box",
                "aria-label": `Fill ${one.title} for ${counted(one.now, "point")}`,
              }),
              { class: "now" },
            );
      return element(
        "tr",
        {},
        heading(one.title),
        cell(one.score === null ? "" : String(one.score)),
        now,
      );
    };
    const part = (caption, boxes, more) =>
      element(
        "table",
        { class: "sheet" },
        element("caption", {}, caption),
        columns("Box", "Has", "Now"),
        element("tbody", {}, boxes.map(box)),
        element(
          "tfoot",
          {},
          more.map(([text, value]) =>
            element("tr", {}, heading(text), cell(String(value)), cell("")),
          ),
        ),
      );
    const bonus = own.upper_bonus > 0 ? "with the bonus of 35" : `of 63 for the bonus`;
    return element(
      "section",
      { "aria-labelledby": "card-title" },
      element("h2", { id: "card-title" }, "Your card"),
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
    return element(
      "section",
      { "aria-labelledby": "cards-title" },
      element("h2", { id: "cards-title" }, "All cards"),
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
              cards.map((_, index) => element("th", { scope: "col" }, name(index))),
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

  // Liar's Dice.

  const liarsDice = () => {
    const position = shown.liars_dice;
    const calls = shown.happenings.filter((one) => one.hands.length > 0);
    const last = position.bids.at(-1);
    if (shown.stage !== "playing") return [...calls.slice(-1).map(called), log()];
    return [
      element(
        "section",
        { class: shown.you === null ? "turn" : "turn seated", "aria-labelledby": "turn" },
        element("p", { class: "kicker" }, `Round ${position.round}`),
        turnTitle(),
        element(
          "p",
          { id: "last-bid", class: "last-bid" },
          last
            ? [
                name(last.player),
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
    ];
  };

  const hand = (position) => {
    const last = position.bids.at(-1);
    if (!position.dice) {
      return element(
        "p",
        { class: "note" },
        shown.you === null
          ? "You are watching. Dice are hidden until somebody calls."
          : "You are out. The others play on.",
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
      render();
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
          "aria-label": diceOf(2, pips).slice(2),
          disabled: !isHigher(bid.count, pips),
          "aria-keyshortcuts": String(pips),
        });
      return element(
        "div",
        { class: "bid" },
        element(
          "p",
          { class: "field" },
          element("label", { for: "bid-count" }, "At least so many dice"),
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
        : element("p", { class: "note" }, "No higher bid can hold: there are no more dice."),
      element(
        "p",
        { class: "actions" },
        mayBid
          ? button(
              "bid",
              `Bid ${diceOf(bid.count, bid.face)}`,
              () => act(`${bid.count} ${bid.face}`),
              { class: "main" },
            )
          : null,
        turn.may_call ? button("call", "Liar!", () => act("Liar!"), { class: "main call" }) : null,
      ),
      hints(),
    );
  };

  const called = (call) =>
    element(
      "section",
      { "aria-labelledby": "call-title" },
      element("h2", { id: "call-title" }, `The last call, in round ${call.round}`),
      element("p", {}, element("bdi", {}, call.text), "."),
      wide(
        "Hands",
        element(
          "table",
          { class: "hands" },
          columns("Player", "Dice:"),
          element(
            "tbody",
            {},
            call.hands.map((one) =>
              element(
                "tr",
                {},
                heading(name(one.player)),
                cell(
                  dice(one.dice, (pips) => pips === call.face || pips === 1),
                  { class: "text" },
                ),
              ),
            ),
          ),
        ),
      ),
    );

  // The end.

  const results = () => {
    const figures = Object.keys(shown.results[0].figures);
    const inWords = (figure) =>
      figure.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());
    const row = (result, index) =>
      element(
        "tr",
        {},
        heading([name(index), index === shown.you ? " (you)" : ""]),
        shown.liars_dice ? cell(String(result.points)) : null,
        figures.map((figure) => cell(String(result.figures[figure]))),
        cell(result.won ? "won" : "", { class: "text" }),
      );
    const names = [...(shown.liars_dice ? ["Points"] : []), ...figures.map(inWords), "Result:"];
    return element(
      "section",
      { "aria-labelledby": "turn" },
      title(stageInWords(shown)),
      wide(
        "Results",
        element(
          "table",
          { id: "results" },
          columns("Player", ...names),
          element("tbody", {}, shown.results.map(row)),
        ),
      ),
      element("p", {}, element("a", { href: "/play", id: "again" }, "Another table")),
    );
  };

  const reports = () => {
    if (!report) return [element("p", { class: "note" }, "The report is being worked out …")];
    return [
      report.yahtzee ? yahtzeeReport() : null,
      report.liars_dice ? liarsDiceReport() : null,
      record(),
    ];
  };

  const yahtzeeReport = () => {
    const sign = (number) => (number < 0 ? "− " : "+ ") + points(Math.abs(number));
    const row = (one, index) =>
      element(
        "tr",
        {},
        heading(name(index)),
        cell(String(one.score)),
        cell(points(one.best_play)),
        cell(sign(one.luck)),
        cell(`− ${points(one.lost)}`),
        cell(`${one.mistakes} of ${one.decisions}`),
      );
    const own = shown.you === null ? null : report.yahtzee[shown.you];
    return element(
      "section",
      { id: "report", "aria-labelledby": "report-title" },
      element("h2", { id: "report-title" }, "What decisions were worth"),
      element(
        "p",
        { class: "note" },
        "The score is what the best play scores in the mean, plus the luck of the dice, minus what decisions lost. These values are exact.",
      ),
      wide(
        "What decisions were worth",
        element(
          "table",
          {},
          columns("Player", "Score", "Best play", "Luck", "Lost", "Decisions that lost points"),
          element("tbody", {}, report.yahtzee.map(row)),
        ),
      ),
      own && own.worst.length > 0 ? worst(own.worst) : null,
    );
  };

  const worst = (mistakes) =>
    element(
      "div",
      {},
      element("h3", { id: "worst-title" }, "Your worst decisions"),
      wide(
        "Your worst decisions",
        element(
          "table",
          { class: "hands" },
          columns("Round", "Dice:", "You:", "Best:", "Lost"),
          element(
            "tbody",
            {},
            mistakes.map((one) =>
              element(
                "tr",
                {},
                heading(String(one.round)),
                cell(dice(one.dice), { class: "text" }),
                cell(one.chosen, { class: "text" }),
                cell(one.best, { class: "text" }),
                cell(points(one.loss)),
              ),
            ),
          ),
        ),
      ),
    );

  const liarsDiceReport = () => {
    const row = (one, index) =>
      element(
        "tr",
        {},
        heading(name(index)),
        [one.calls_right, one.calls_wrong, one.bids_held, one.bids_fallen].map((number) =>
          cell(String(number)),
        ),
      );
    return element(
      "section",
      { id: "report", "aria-labelledby": "report-title" },
      element("h2", { id: "report-title" }, "Calls and bids"),
      wide(
        "Calls and bids",
        element(
          "table",
          {},
          columns(
            "Player",
            "Right calls",
            "Wrong calls",
            "Called bids that held",
            "Called bids that fell",
          ),
          element("tbody", {}, report.liars_dice.map(row)),
        ),
      ),
    );
  };

  const record = () =>
    element(
      "section",
      { "aria-labelledby": "record-title" },
      element("h2", { id: "record-title" }, "Record"),
      element(
        "p",
        {},
        "Seed: ",
        element("code", { id: "seed" }, element("bdi", {}, report.seed)),
        shown.seed_given ? " (given)" : " (drawn)",
        `. The game's table is 1, the rules are ${shown.rules}: all dice, and who sits where, follow from that.`,
      ),
      element(
        "details",
        { id: "moves" },
        element("summary", {}, `All ${report.moves.length} moves`),
        wide(
          "All moves",
          element(
            "table",
            { class: "hands" },
            columns("Round", "Player:", "Dice:", "Move:"),
            element(
              "tbody",
              {},
              report.moves.map((one) =>
                element(
                  "tr",
                  {},
                  heading(String(one.round)),
                  cell(name(one.player), { class: "text" }),
                  cell(dice(one.dice), { class: "text" }),
                  cell(one.text, { class: "text" }),
                ),
              ),
            ),
          ),
        ),
      ),
    );

  // Keys.

  const isTyping = (target) =>
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement;

  /** Arrows go from die to die. */
  const step = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const group = event.target.closest && event.target.closest(".places");
    if (!by || !group) return;
    const places = [...group.querySelectorAll("button:not(:disabled)")];
    const next = places[places.indexOf(event.target) + by];
    if (next) next.focus();
    event.preventDefault();
  };

  document.addEventListener("keydown", (event) => {
    if (!shown || event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
    if (/^[1-6]$/.test(event.key)) {
      const chosen =
        document.getElementById(`die-${event.key}`) || document.getElementById(`face-${event.key}`);
      if (chosen && !chosen.disabled) chosen.click();
    } else if (event.key.toLowerCase() === "r") {
      roll();
    } else if (event.key.toLowerCase() === "h") {
      const help = document.getElementById("hint");
      if (help) help.click();
    } else {
      step(event);
    }
  });

  listen();
})();
