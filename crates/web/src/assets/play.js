"use strict";
// The page of a table: shows the document that the server has for this client, and sends its actions.
(() => {
  const { element, button, dice, memory, cell, heading, wide, table: tableOf, section, points, patchChildren, focusTurn } =
    globalThis.tableParts;
  const root = document.getElementById("table");
  if (!root) return;
  const address = `/api/v1/tables/${root.dataset.table}`;
  const byId = (id) => document.getElementById(id);
  const said = byId("said");
  const trouble = byId("trouble");
  /** The most events announced to screen readers at once; the page lists all of them. */
  const MOST_SAID = 8;
  /** For how many milliseconds a resignation is said again with what follows. */
  const RESAID = 1500;
  /** The most choices that are explained. */
  const MOST_REASONS = 5;
  /** Milliseconds between attempts to reach the server. */
  const RETRY = 2000;

  /** The last document of the server. */
  let latest = null;
  /** The document that is shown, which may be an earlier one. */
  let shown = null;
  let events = null;
  let busy = false;
  /** The next attempt to load the table. */
  let retry = null;
  let hint = null;
  let report = null;
  /** When the time for the move is over, in milliseconds. */
  let deadline = null;
  /** The last resignation, which is said until then. */
  let resignation = { text: "", until: 0 };

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
    isNow,
    act: (action) => act(action),
    say: (text) => say(text),
    render: () => render(),
    turnTitle: () => turnTitle(),
    hints: () => hints(),
    away: () => away(),
    players: (after) => players(after),
    log: () => log(),
    remember: (value) => remember(value),
    recall: () => recall(),
  };
  const games = {
    yahtzee: globalThis.yahtzeeTable(page),
    "liars-dice": globalThis.liarsDiceTable(page),
  };
  const game = () => games[shown.game];

  /** The table as it was after the event with the number `upto`. */
  const past = (table, upto, isReveal) => {
    const happenings = table.happenings.filter((event) => event.number <= upto);
    const next = table.happenings.find((event) => event.number > upto);
    const turn = next ? next.player : table.turn;
    const common = { ...table, past: true, stage: "playing", results: null, happenings, turn };
    return { ...common, ...games[table.game].past(table, common, next, isReveal) };
  };
  const pace = globalThis.tablePace({ past, display: (table) => display(table) });

  // What is chosen but not sent yet survives a reload.

  const remember = (value) => memory.set(`table.${root.dataset.table}`, JSON.stringify(value));
  const recall = () => {
    try {
      return JSON.parse(memory.get(`table.${root.dataset.table}`));
    } catch {
      return null;
    }
  };

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

  const explain = (error, next = "Trying again …") =>
    tell(error.status ? `${error.message}.` : `The server cannot be reached. ${next}`);

  /** Runs one request at a time, and shows its error. */
  const attempt = async (work) => {
    if (busy) return;
    busy = true;
    root.setAttribute("aria-busy", "true");
    try {
      await work();
      tell("");
    } catch (error) {
      explain(error, "Please try again.");
      if (error.status === 409) await refresh();
    } finally {
      busy = false;
      root.removeAttribute("aria-busy");
    }
  };

  const refresh = async () => {
    clearTimeout(retry);
    try {
      const you = latest?.you;
      const table = await ask("");
      // The request was sent before this client took a seat: its answer is a visitor's view, which must not replace the player's.
      if (latest?.you !== you) return refresh();
      if (retry !== null) tell("");
      retry = null;
      show(table);
    } catch (error) {
      explain(error);
      if (!error.status) retry = setTimeout(refresh, RETRY);
      if (error.status !== 404 || !events) return;
      events.close();
      events = null;
    }
  };

  /** Sends an action until the server answers. One that it has played although its answer was lost is refused, and the page loads the table. */
  const act = (action) =>
    attempt(async () => {
      const sent = { action, move: latest.moves };
      for (let isRepeated = false; ; isRepeated = true) {
        try {
          return show(await ask("/actions", sent));
        } catch (error) {
          if (isRepeated && error.status === 409) return refresh();
          if (error.status) throw error;
          explain(error);
        }
        await new Promise((done) => setTimeout(done, RETRY));
      }
    });

  const sit = (typed) =>
    attempt(async () => {
      show(await ask("/seats", { name: typed }));
      listen();
    });

  const changeSeat = (change) =>
    attempt(async () => {
      show(await ask("/seat", { change }));
      if (change === "leave") listen();
    });

  const rematch = () =>
    attempt(async () => {
      const { page: address } = await ask("/rematch", {});
      location.assign(address);
    });

  const askForHint = () =>
    attempt(async () => {
      await takeHint();
      sayBest();
    });

  const sayBest = () => {
    const best = hint?.choices[0];
    if (best) say(`Best: ${best.text}, ${worth(best)}.`);
  };

  const takeHint = async () => {
    const moves = shown.moves;
    const answer = await ask("/hint");
    if (shown.moves !== moves || !isYours(shown)) return;
    hint = answer;
    render();
  };

  /** A hint that comes too late is no trouble. */
  const explainHint = (error) => {
    if (error.status === 409) return;
    explain(error);
    if (!error.status) setTimeout(() => takeHint().then(() => tell(""), explainHint), RETRY);
  };

  const askForReport = async (isRepeated = false) => {
    try {
      report = await ask("/report");
      if (isRepeated) tell("");
      render();
    } catch (error) {
      explain(error);
      if (!error.status) setTimeout(() => askForReport(true), RETRY);
    }
  };

  /** Subscribes to the versions of this client's document. */
  const listen = () => {
    if (events) events.close();
    const stream = new EventSource(`${address}/events`);
    events = stream;
    stream.addEventListener("message", (event) => {
      tell("");
      if (!latest || Number(event.data) !== latest.version) refresh();
    });
    stream.addEventListener("error", () => {
      if (stream !== events || isOver(latest)) return;
      tell("The connection was lost. Trying again …");
      if (stream.readyState !== EventSource.CLOSED) return;
      refresh();
      setTimeout(() => {
        if (stream === events) listen();
      }, RETRY);
    });
  };

  // A phone that was locked has missed events, and maybe its stream.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || isOver(latest)) return;
    if (events?.readyState === EventSource.CLOSED) listen();
    refresh();
  });

  // Changes.

  /** Has screen readers announce a text. They ignore one that is already there. */
  const say = (text) => {
    said.textContent = said.textContent === text ? `${text}\u00a0` : text;
  };

  const isOver = (table) => table !== null && (table.stage === "over" || table.stage === "void");

  const show = (table) => {
    const before = latest;
    if (before && before.you === table.you && before.version >= table.version) return;
    latest = table;
    const left = table.seconds_left;
    deadline = left === null ? null : performance.now() + 1000 * left;
    pace.take(table);
    offer(table);
  };

  /** Shows the table, as it is or as it was. */
  const display = (table) => {
    const before = shown;
    if (before === table) return;
    shown = table;
    if (!before || before.moves !== table.moves || before.turn !== table.turn) hint = null;
    game().arrange(before, table);
    render();
    announce(before, table);
    if (isOver(table)) {
      memory.set(`table.${root.dataset.table}`, null);
      if (table.you !== null) memory.set("games", "some");
      if (!report) askForReport();
    } else if (guide.checked && isYours(table) && !hint) {
      takeHint().catch(explainHint);
    }
  };

  const isAway = (table) => table.you !== null && Boolean(table.players[table.you].absence);

  const isResigned = (table, player) => table.players[player].absence === "resigned";

  const isYours = (table) =>
    table.stage === "playing" &&
    !table.past &&
    table.you !== null &&
    table.turn === table.you &&
    !isAway(table);

  const announce = (before, table) => {
    const parts = [];
    const newest = table.happenings.at(-1)?.number ?? 0;
    // After a reload, the last event is what the reader answers.
    const last = before ? (before.happenings.at(-1)?.number ?? 0) : newest - 1;
    const gained = game().gained(before, table);
    const isOwnFill = (one) => one.kind === "fill" && one.player === table.you && !isAway(table);
    const inWords = (one) => {
      if (!isOwnFill(one)) return `${one.text}.`;
      return gained ? gained.said : "You have ended your turn.";
    };
    // Bots may have played much since, so that the event is not the last any more.
    const resigned = table.players
      .map((_, index) => index)
      .filter((index) => before && isResigned(table, index) && !isResigned(before, index));
    const inWordsOfAll = resigned.map((index) => {
      const who = index === table.you ? "You have" : `${table.players[index].name} has`;
      return `${who} resigned: a bot plays the rest.`;
    });
    if (resigned.length > 0) resignation = { text: inWordsOfAll.join(" "), until: performance.now() + RESAID };
    // A reader hears nothing of a text that is replaced at once, as bots play the rest quickly.
    if (performance.now() < resignation.until) parts.push(resignation.text);
    table.happenings
      .filter((one) => one.number > last && !(one.kind === "seat" && resigned.includes(one.player)))
      .slice(-MOST_SAID)
      .forEach((one) => parts.push(inWords(one)));
    const isResumed = !before && table.stage === "playing" && newest > 0;
    if (before?.stage !== table.stage && !isResumed) parts.push(stageInWords(table));
    if (table.stage === "over" && before?.stage !== "over") parts.push(finalScores(table));
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
    if (names.length === 0) return "The game is over without a winner.";
    return `The game is over. ${names.join(" and ")} ${names.length === 1 ? "wins" : "win"}.`;
  };

  /** The final scores of Yahtzee, which the page shows in the results. */
  const finalScores = (table) => {
    if (table.game !== "yahtzee") return "";
    const scores = table.players.map(({ name }, index) => {
      const score = `${name} ${table.results[index].figures.score}`;
      return isResigned(table, index) ? `${score}, resigned` : score;
    });
    return `Scores: ${scores.join(", ")}.`;
  };

  // What is around the table: the explanations, the keys, the link, leaving and resigning.

  const guide = byId("guide");
  const keys = byId("keys");
  guide.checked = (memory.get("guide") ?? (memory.get("games") ? "off" : "on")) === "on";
  keys.checked = memory.get("keys") !== "off";
  guide.addEventListener("change", () => {
    memory.set("guide", guide.checked ? "on" : "off");
    hint = null;
    if (guide.checked && shown && isYours(shown)) takeHint().catch(explainHint);
    else if (shown) render();
  });
  keys.addEventListener("change", () => memory.set("keys", keys.checked ? "on" : "off"));

  const share = async () => {
    const link = location.href;
    try {
      if (navigator.share) {
        await navigator.share({ title: document.title, url: link });
        return;
      }
      await navigator.clipboard.writeText(link);
      say("The link is copied.");
      byId("share").textContent = "Copied";
    } catch (error) {
      if (error.name === "AbortError") return;
      say(`The link of this table is ${link}`);
      byId("share").textContent = "Copy the address of this page";
    }
  };
  byId("share").addEventListener("click", share);

  const resigning = byId("resigning");
  byId("resign").addEventListener("click", () => {
    // What was said last would be repeated when the dialog is closed.
    said.textContent = "";
    resigning.showModal();
    // A region is announced if it changes while it is on the page.
    setTimeout(() => {
      byId("asked").textContent = [...resigning.querySelectorAll("h2, .consequence")]
        .map(({ textContent }) => textContent)
        .join(" ");
    }, 100);
  });
  resigning.addEventListener("close", () => (byId("asked").textContent = ""));
  byId("keep-playing").addEventListener("click", () => resigning.close());
  byId("do-resign").addEventListener("click", () => {
    resigning.close();
    changeSeat("resign");
  });
  byId("leave").addEventListener("click", () => changeSeat("leave"));

  /** Shows the buttons that can be used now. */
  const offer = (table) => {
    const isSeated = table.you !== null;
    const others = table.players.some(
      (player, index) => index !== table.you && !player.bot && !player.absence,
    );
    const isHere = isSeated && !table.players[table.you].absence;
    const isPlaying = table.stage === "playing" && isSeated;
    byId("leave").hidden = !(table.stage === "gathering" ? isSeated : isPlaying && isHere && others);
    byId("resign").hidden = !isPlaying || table.players[table.you].absence === "resigned";
    if (byId("resign").hidden && resigning.open) resigning.close();
  };

  // The page.

  const render = () => {
    const focused = document.activeElement;
    const hadFocus = root.contains(focused);
    patchChildren(root, sections().flat().filter(Boolean));
    if (!hadFocus || (root.contains(focused) && !focused.disabled)) return;
    const chosen = focused.closest(".places")?.querySelector("button[aria-pressed=true]");
    if (root.contains(focused) && chosen) chosen.focus({ preventScroll: true });
    else if (!root.contains(document.activeElement)) focusTurn();
  };

  const sections = () => {
    if (shown.stage === "gathering") return [gathering()];
    const sections = game().sections();
    return shown.stage === "playing" ? sections : [results(), ...reports(), ...sections];
  };

  const title = (...text) => element("h2", { id: "turn", tabindex: "-1" }, text);

  const turnTitle = () => {
    if (isYours(shown)) return [title("Your turn"), clock()];
    if (shown.reveal) {
      const skip = button("skip", "Go on", pace.skip);
      return [title(name(shown.happenings.at(-1).player), " calls: Liar!"), skip];
    }
    const player = shown.players[shown.turn];
    const isBot = player.bot || player.absence || shown.past;
    const skip = pace.isShowing() ? button("skip", "Go on", pace.skip) : null;
    return [title(name(shown.turn), " is ", isBot ? "" : "to ", element("span", { class: "whole" }, isBot ? "thinking …" : "move …")), skip ?? clock()];
  };

  /** The time left for the move. */
  const clock = () =>
    deadline === null || shown.past
      ? null
      : element("span", { id: "clock", class: "clock", role: "timer" }, timeLeft());

  const secondsLeft = () => Math.max(0, Math.ceil((deadline - performance.now()) / 1000));

  const timeLeft = () => {
    const seconds = secondsLeft();
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  };

  setInterval(() => {
    const shownClock = byId("clock");
    if (!shownClock || deadline === null) return;
    shownClock.textContent = timeLeft();
    const isShort = secondsLeft() <= 10;
    if (isShort && !shownClock.classList.contains("short") && isYours(shown)) say("10 seconds are left.");
    shownClock.classList.toggle("short", isShort);
  }, 1000);

  /** Why a bot plays for this person, and the way back. */
  const away = () => {
    if (!isAway(shown)) return null;
    const why = shown.players[shown.you].absence;
    if (why === "resigned") return element("p", { class: "bar" }, "You have resigned. A bot plays the rest of your game.");
    const text = why === "late" ? "Your time was over: a bot plays for you." : "A bot plays for you.";
    return element(
      "p",
      { class: "bar" },
      `${text} `,
      button("return", "Return to my seat", () => changeSeat("return"), { class: "main" }),
    );
  };

  const gathering = () => {
    const free = shown.free_seats;
    const link = element("input", { id: "link", readonly: true, value: location.href });
    const copy = button("copy-link", "Copy the link", async () => {
      byId("link").select();
      try {
        await navigator.clipboard.writeText(location.href);
        say("The link is copied.");
        byId("copy-link").textContent = "Copied";
      } catch {
        say("The link is selected: copy it with your keyboard.");
      }
    });
    const seats = Array.from({ length: free }, () => playerCard("Free seat", "", "free"));
    return element(
      "section",
      { class: "turn waiting", "aria-labelledby": "turn" },
      element("div", { class: "whose" }, title(`Waiting for ${free === 1 ? "one more player" : `${free} more players`}`)),
      element("ul", { class: "opponents", "aria-label": "At the table" }, shown.players.map((player, index) =>
        playerCard([name(index), index === shown.you ? " (you)" : ""], player.bot ?? "", "")), seats),
      shown.you === null
        ? sitForm()
        : element("p", { class: "note" }, "You have a seat. The game begins when all seats are taken."),
      element("p", { class: "field" }, element("label", { for: "link" }, "Share this link"), link, copy),
      element("p", { class: "note" }, terms()),
    );
  };

  const terms = () => {
    const seconds = shown.move_seconds;
    const limit = seconds === null ? "No time limit" : `${seconds} seconds for each move`;
    return shown.open ? `${limit}. Everyone sees all cards and dice.` : `${limit}.`;
  };

  const sitForm = () => {
    const input = element("input", {
      id: "sit-name",
      name: "name",
      maxlength: "64",
      autocomplete: "nickname",
      placeholder: "Player",
    });
    const onsubmit = (event) => {
      event.preventDefault();
      sit(byId("sit-name").value);
    };
    return element(
      "form",
      { id: "sit-form", onsubmit },
      element("p", { class: "field" }, element("label", { for: "sit-name" }, "Your name"), input),
      element("p", {}, element("button", { id: "sit", type: "submit", class: "main" }, "Take a seat")),
    );
  };

  /** What is said of a player next to the name. */
  const about = (player, index) => {
    if (index === shown.you) return " (you)";
    if (player.bot) return element("span", { class: "note" }, " bot");
    if (player.absence) return element("span", { class: "note" }, ` ${player.absence}, a bot plays`);
    return "";
  };

  /** The players in the order of their turns. */
  const players = (after) =>
    section(
      "players-title",
      "Players",
      element("ul", { class: "opponents" }, shown.players.map((player, index) =>
        playerCard([name(index), about(player, index)], isNow(index) ? "to move" : "", isNow(index) ? "acting" : ""))),
      after,
    );

  const playerCard = (who, state, kind) =>
    element(
      "li",
      { class: `player-card ${kind}`.trim() },
      element("span", { class: "player-name" }, who, state === "" ? "" : element("span", { class: "unseen" }, ",\u00a0")),
      element("span", { class: "said-bid" }, state),
    );

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
      : `${points(choice.value)} expected points`;

  /** The choices with their worth; in the first game also why. */
  const hints = () => {
    const asking = button("hint", "Hint", askForHint, { "aria-keyshortcuts": "h" });
    if (!hint) return element("div", { class: "hints" }, asking);
    if (guide.checked) return reasons();
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

  /** The choices with the reasons for their worth, best first. */
  const reasons = () => {
    const one = (choice) =>
      element(
        "li",
        {},
        element("span", { class: "worth" }, choice.value === null ? worth(choice) : `${points(choice.value)} points`),
        element("strong", {}, choice.text),
        element("span", { class: "why" }, choice.why),
      );
    return element(
      "div",
      { class: "hints" },
      element("h3", { id: "reasons-title" }, "What each choice is worth, best first"),
      element("ol", { id: "hints", class: "reasons", "aria-labelledby": "reasons-title" }, hint.choices.slice(0, MOST_REASONS).map(one)),
      element("p", { class: "note" }, hint.note),
    );
  };

  // The end.

  const results = () => {
    const figures = Object.keys(shown.results[0].figures);
    const inWords = (figure) =>
      figure.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase());
    const state = (result, player) => {
      if (player.absence === "resigned") return "resigned";
      return result.won ? "won" : "";
    };
    const row = (result, index) =>
      element(
        "tr",
        { class: result.won ? "winner" : null },
        heading([name(index), index === shown.you ? " (you)" : ""]),
        shown.liars_dice ? cell(result.points.toLocaleString("en")) : null,
        figures.map((figure) => cell(result.figures[figure].toLocaleString("en"))),
        cell(state(result, shown.players[index]), { class: "text" }),
      );
    const names = [...(shown.liars_dice ? ["Points"] : []), ...figures.map(inWords), "Result:"];
    const again = shown.you === null
      ? null
      : button("rematch", shown.rematch ? "Join the rematch" : "Rematch", rematch, { class: "main" });
    return element(
      "section",
      { class: "ending", "aria-labelledby": "turn" },
      title(stageInWords(shown)),
      wide("Results", tableOf({ id: "results" }, ["Player", ...names], shown.results, row)),
      element(
        "p",
        { class: "actions" },
        again,
        element("a", { class: "button", href: `${location.pathname}/replay`, id: "replay" }, "Replay of this game"),
        element("a", { class: "button", href: "/play", id: "again" }, "Another table"),
      ),
    );
  };

  const reports = () => {
    if (!report) return [element("p", { class: "note" }, "The report is being computed …")];
    const isMixed = report.moves.some((one) => one.substituted);
    const mixed = isMixed
      ? element("p", { class: "note" }, "What bots decided for a person counts as that person's.")
      : null;
    return [shown.stage === "over" ? game().report(report) : null, mixed, record()];
  };

  const record = () => {
    const row = (one) =>
      element(
        "tr",
        {},
        heading(String(one.round)),
        cell([name(one.player), one.substituted ? element("span", { class: "note" }, " (bot)") : ""], {
          class: "text",
        }),
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

  /** What a letter presses. `l` only goes to the call, which needs a second key. */
  const LETTERS = { r: "roll", h: "hint", b: "bid", s: "skip" };

  /** Whether the key means something to the control that has the focus. A field for a number takes digits alone. */
  const isTyping = ({ target, key }) => {
    if (target instanceof HTMLInputElement && target.type === "number") return key.length > 1 || /^[0-9]$/.test(key);
    if (target instanceof HTMLInputElement) return target.type !== "checkbox";
    return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
  };

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
    if (!shown || event.ctrlKey || event.altKey || event.metaKey || isTyping(event)) return;
    if (event.key.startsWith("Arrow")) step(event);
    if (!keys.checked || resigning.open || event.repeat) return;
    const letter = event.key.toLowerCase();
    if (event.target.type === "number") event.preventDefault();
    if (/^[1-6]$/.test(event.key)) {
      const chosen = byId(`die-${event.key}`) || byId(`face-${event.key}`);
      if (chosen && !chosen.disabled) chosen.click();
    } else if (letter === "l") {
      byId("call")?.focus();
    } else if (letter === "+" || letter === "-") {
      byId(letter === "+" ? "more" : "fewer")?.click();
    } else if (letter === "h" && hint && guide.checked) {
      sayBest();
    } else if (letter in LETTERS) {
      byId(LETTERS[letter])?.click();
    }
  });

  listen();
})();
