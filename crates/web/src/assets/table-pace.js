"use strict";
// Shows what others do one event after the other, at the pace that the reader has chosen.
// `page` has: past(table, upto, isReveal), the table as it was after an event; and display(table).
globalThis.tablePace = (page) => {
  const { memory } = globalThis.tableParts;
  /** Milliseconds before each event. A call stays for twice as long. */
  const PACES = { slow: 2600, normal: 1300, fast: 450, none: 0 };
  const select = document.getElementById("pace");
  let latest = null;
  /** The number of the last event that was shown. */
  let played = 0;
  let timer = null;

  const chosen = memory.get("pace");
  if (select && chosen in PACES) select.value = chosen;
  const pace = () => PACES[select ? select.value : "none"];
  const lastNumber = (table) => table.happenings.at(-1)?.number ?? 0;
  const wait = (next, milliseconds) => {
    timer = setTimeout(() => {
      timer = null;
      next();
    }, milliseconds);
  };

  /** A person who has resigned waits for the end only. */
  const hasResigned = () => latest.you !== null && latest.players[latest.you].absence === "resigned";
  const isOwn = (event) => event.player === latest.you && latest.players[latest.you].absence === null;

  const advance = () => {
    const next = latest.happenings.find((event) => event.number > played);
    if (!next || pace() === 0 || hasResigned()) {
      played = lastNumber(latest);
      page.display(latest);
    } else if (isOwn(next) || next.kind === "seat") {
      consume(next);
    } else {
      page.display(page.past(latest, played, false));
      wait(() => consume(next), pace());
    }
  };

  const consume = (event) => {
    played = event.number;
    if (event.kind === "call") {
      page.display(page.past(latest, played, true));
      wait(advance, 2 * pace());
    } else {
      advance();
    }
  };

  /** Shows at once what has not been shown yet. */
  const skip = () => {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    played = lastNumber(latest);
    advance();
  };

  /** Takes a new document of the server. */
  const take = (table) => {
    const before = latest;
    latest = table;
    const isFirst = !before || before.stage === "gathering" || before.you !== table.you;
    if (isFirst) {
      if (!before || before.you !== table.you) played = lastNumber(table);
      if (timer !== null) clearTimeout(timer);
      timer = null;
    }
    if (hasResigned()) skip();
    if (timer === null) advance();
  };

  if (select) {
    select.addEventListener("change", () => {
      memory.set("pace", select.value);
      if (pace() === 0) skip();
    });
  }
  return { take, skip, isShowing: () => timer !== null };
};
