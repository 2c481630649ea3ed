"use strict";
// The page of a table: shows the document that the server has for this client, and sends its actions.
(() => {
  const {
    element,
    button,
    dice,
    cell,
    heading,
    wide,
    table: tableOf,
    section,
    points,
  } = globalThis.tableParts;
  const root = document.getElementById("table");
  if (!root) return;
  const address = `/api/v1/tables/${root.dataset.table}`;
  const said = document.getElementById("said");
  const trouble = document.getElementById("trouble");
  /** The most events announced to screen readers at once; the page lists all of them. */
  const MOST_SAID = 8;

  /** The document that is shown. */
  let shown = null;
  let events = null;
  let busy = false;
  let hint = null;
  let report = null;

  const name = (player) => element("bdi", {}, shown.players[player].name);
  const isNow = (player) => player === shown.turn && shown.stage === "playing";

  /** What the scripts of the games need from the table. */
  const page = {
    get shown() {
      return shown;
    },
    get busy() {
      return busy;
    },
    name,
    act: (action) => act(action),
    render: () => render(),
    turnTitle: () => turnTitle(),
    hints: () => hints(),
    players: (heads, cells, state, after) => players(heads, cells, state, after),
  };
  const games = {
    yahtzee: globalThis.yahtzeeTable(page),
    "liars-dice": globalThis.liarsDiceTable(page),
  };
  const game = () => games[shown.game];

  // Requests.

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

  /** Runs one request at a time, and shows its error. */
  const attempt = async (work) => {
    if (busy) return;
    busy = true;
    root.setAttribute("aria-busy", "true");
    try {
      await work();
      tell("");
    } catch (error) {
      explain(error);
      if (error.status === 409) await refresh();
    } finally {
      busy = false;
      root.removeAttribute("aria-busy");
    }
  };

  const refresh = async () => {
    try {
      const you = shown?.you;
      const table = await ask("");
      // The request was sent before this client took a seat: its answer is a visitor's view, which must not replace the player's.
      if (shown?.you !== you) return refresh();
      show(table);
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

  /** Subscribes to the versions of this client's document. */
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

  // Changes.

  const say = (text) => {
    said.textContent = text;
  };

  const show = (table) => {
    const before = shown;
    if (before && before.you === table.you && before.version >= table.version) return;
    shown = table;
    if (!before || before.moves !== table.moves || before.turn !== table.turn) {
      hint = null;
    }
    game().arrange(before, table);
    render();
    announce(before, table);
    const over = table.stage === "over" || table.stage === "void";
    if (over && !report) askForReport();
    if (over && events) events.close();
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
      parts.push(game().saying(before, table));
    }
    const text = parts.filter((part) => part !== "").join(" ");
    if (text !== "") say(text);
    document.title = `${isYours(table) ? "Your turn · " : ""}${table.title} · dicehill`;
  };

  const stageInWords = (table) => {
    if (table.stage === "over") return winners(table);
    if (table.stage === "void") return "A fault ended the game, which does not count.";
    return table.stage === "playing" ? "The game has begun." : "";
  };

  const winners = (table) => {
    const names = table.players
      .filter((_, index) => table.results[index].won)
      .map((player) => player.name);
    if (names.length === 0) return "The game is over without a winner: the turn limit is reached.";
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
    const sections = game().sections();
    return shown.stage === "playing" ? sections : [results(), ...reports(), ...sections];
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
            "You have a seat. The game begins when all seats are taken.",
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
      element("p", {}, element("button", { id: "sit", type: "submit", class: "main" }, "Take a seat")),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      sit(input.value);
    });
    return form;
  };

  /** The table of players. The game adds cells for each, and the state of those who are not to move. */
  const players = (heads, cells, state, after) => {
    const row = (player, index) =>
      element(
        "tr",
        { class: isNow(index) ? "to-move" : null },
        heading([
          name(index),
          index === shown.you ? " (you)" : "",
          player.bot ? element("span", { class: "note" }, " bot") : null,
        ]),
        cells(index),
        cell(isNow(index) ? "to move" : state(index), { class: "text" }),
      );
    const all = tableOf({ class: "seats" }, ["Player", ...heads, "Now:"], shown.players, row);
    return section("players-title", "Players", wide("Players", all), after);
  };

  const worth = (choice) =>
    choice.value === null
      ? `${(100 * choice.chance).toFixed(1)} %`
      : `${points(choice.value)} expected points`;

  const hints = () => {
    const asking = button("hint", "Hint", askForHint, { "aria-keyshortcuts": "h" });
    if (!hint) return element("div", { class: "hints" }, asking);
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
      ? ["Choice", "Expected points", "Loss"]
      : ["Choice", "Chance", "Exactly:"];
    return element(
      "div",
      { class: "hints" },
      asking,
      element(
        "div",
        { class: "bar" },
        wide("Hints", tableOf({ id: "hints" }, names, hint.choices, row)),
        element("p", { class: "note" }, hint.note),
      ),
    );
  };

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
      wide("Results", tableOf({ id: "results" }, ["Player", ...names], shown.results, row)),
      element("p", {}, element("a", { href: "/play", id: "again" }, "Another table")),
    );
  };

  const reports = () => {
    if (!report) return [element("p", { class: "note" }, "The report is being computed …")];
    return [shown.stage === "over" ? game().report(report) : null, record()];
  };

  const record = () => {
    const row = (one) =>
      element(
        "tr",
        {},
        heading(String(one.round)),
        cell(name(one.player), { class: "text" }),
        cell(dice(one.dice), { class: "text" }),
        cell(one.text, { class: "text" }),
      );
    const moves = tableOf(
      { class: "hands record" },
      ["Round", "Player:", "Dice:", "Move:"],
      report.moves,
      row,
    );
    const from = shown.seed_given ? "given" : "drawn";
    return section(
      "record-title",
      "Record",
      element(
        "p",
        {},
        "Seed: ",
        element("code", { id: "seed" }, element("bdi", {}, report.seed)),
        ` (${from}). All dice and seats follow from it: this is game 1 at table 1, with ${shown.rules} rules.`,
      ),
      element(
        "details",
        { id: "moves" },
        element("summary", {}, `All ${report.moves.length} moves`),
        wide("All moves", moves),
      ),
    );
  };

  // Keys.

  const LETTERS = { r: "roll", h: "hint" };

  const isTyping = (target) =>
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement;

  /** The arrow keys move between dice. */
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
    } else if (event.key.toLowerCase() in LETTERS) {
      const meant = document.getElementById(LETTERS[event.key.toLowerCase()]);
      if (meant) meant.click();
    } else {
      step(event);
    }
  });

  listen();
})();
