"use strict";
// Elements from which the page of a table is built.
(() => {
  const { element, dice } = globalThis.elements;

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
    worstDecisions,
  };
})();
