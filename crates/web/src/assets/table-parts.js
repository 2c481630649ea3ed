"use strict";
// Elements from which the page of a table is built.
(() => {
  const { byId, element, dice } = globalThis.elements;

  const button = (id, text, onclick, attributes = {}) =>
    element("button", { type: "button", id, onclick, ...attributes }, text);
  const cell = (text, attributes = {}) => element("td", attributes, text);
  const heading = (text, attributes = {}) =>
    element("th", { scope: "row", class: "text", ...attributes }, text);
  /** Column headings. The first, and those that end with `:`, are for text. */
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
  /** What this browser remembers. A browser may refuse that. */
  const memory = {
    get: (key) => {
      try {
        return localStorage.getItem(`dicehill.${key}`);
      } catch {
        return null;
      }
    },
    set: (key, value) => {
      try {
        if (value === null) localStorage.removeItem(`dicehill.${key}`);
        else localStorage.setItem(`dicehill.${key}`, value);
      } catch {
        // The page works without it, until it is closed.
      }
    },
  };
  /** A button that plays an action: of a double click only the first click counts. */
  const actButton = (id, text, act, attributes = {}) =>
    button(
      id,
      text,
      (event) => {
        if (event.detail < 2) act();
      },
      attributes,
    );
  const hiddenDice = (count) => dice(Array(count).fill(0));
  const points = (number) => number.toFixed(2);
  /** A difference with its sign, as the other pages show it. */
  const signed = (number) => {
    const size = points(Math.abs(number));
    if (Number(size) === 0) return size;
    return (number < 0 ? "−" : "+") + size;
  };
  /** A table with column headings and one row for each item. */
  const table = (attributes, heads, items, row) =>
    element("table", attributes, columns(...heads), element("tbody", {}, items.map(row)));
  const section = (id, text, ...children) =>
    element("section", { "aria-labelledby": id }, element("h2", { id }, text), children);

  /** Moves the focus to the heading of the turn, and the place where a screen reader reads on. */
  const focusTurn = () => {
    const turn = byId("turn");
    turn.focus({ preventScroll: true });
    getSelection().collapse(turn, 0);
  };

  const LISTENERS = ["onclick", "onchange", "onsubmit"];

  /** What an old and a new node have in common if they are the same thing. */
  const kind = (node) => {
    if (node.nodeType !== Node.ELEMENT_NODE) return node.nodeName;
    const label = node.id || node.getAttribute("aria-labelledby") || node.getAttribute("class")?.split(" ")[0];
    return `${node.nodeName} ${label ?? ""}`;
  };

  /** Makes an old node like a new one of its kind. What the reader has unfolded stays, and what is typed into a field without a value. */
  const patch = (old, fresh) => {
    if (old.nodeType !== Node.ELEMENT_NODE) {
      if (old.data !== fresh.data) old.data = fresh.data;
      return;
    }
    for (const { name } of [...old.attributes]) {
      if (name !== "open" && !fresh.hasAttribute(name)) old.removeAttribute(name);
    }
    for (const { name, value } of fresh.attributes) {
      if (old.getAttribute(name) !== value) old.setAttribute(name, value);
    }
    for (const listener of LISTENERS) old[listener] = fresh[listener];
    patchChildren(old, fresh.childNodes);
    if (old instanceof HTMLInputElement && fresh.hasAttribute("value")) old.value = fresh.value;
  };

  /** Replaces the children of an element. Those that stay are the same nodes: the focus and the cursor of a screen reader remain there. */
  const patchChildren = (parent, children) => {
    let next = parent.firstChild;
    const removeUntil = (end) => {
      while (next !== end) {
        const old = next;
        next = next.nextSibling;
        // A screen reader whose place is removed reads on somewhere near it, unless the focus has moved before.
        if (old.contains(document.activeElement)) focusTurn();
        old.remove();
      }
    };
    for (const child of [...children]) {
      let same = next;
      while (same && kind(same) !== kind(child)) same = same.nextSibling;
      if (same) {
        removeUntil(same);
        patch(same, child);
        next = same.nextSibling;
      } else {
        parent.insertBefore(child, next);
      }
    }
    removeUntil(null);
  };

  /** The decisions of a player that cost most. */
  const worstDecisions = (mistakes) => {
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
    const heads = ["Round", "Dice:", "You:", "Best:", "Loss"];
    return [
      element("h3", {}, "Your worst decisions"),
      wide("Your worst decisions", table({ class: "hands record" }, heads, mistakes, row)),
    ];
  };

  globalThis.tableParts = {
    ...globalThis.elements,
    button,
    actButton,
    memory,
    hiddenDice,
    cell,
    heading,
    columns,
    wide,
    table,
    section,
    points,
    signed,
    patchChildren,
    focusTurn,
    worstDecisions,
  };
})();
