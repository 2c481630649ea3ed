"use strict";
// Elements from which the page of a table is built.
(() => {
  const FACES = ["one", "two", "three", "four", "five", "six"];
  const LARGER = ["seven", "eight", "nine", "ten", "eleven", "twelve"];
  const NUMBERS = ["no", ...FACES, ...LARGER];

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "onclick") made.addEventListener("click", value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined)
        made.setAttribute(key, value);
    }
    made.append(
      ...children.flat(Infinity).filter((child) => child !== null && child !== undefined),
    );
    return made;
  };
  const button = (id, text, onclick, attributes = {}) =>
    element("button", { type: "button", id, onclick, ...attributes }, text);
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
  /** A number of dice of a face, as people say it: "four fives". */
  const diceOf = (count, face) => {
    const many = face === 6 ? "sixes" : `${FACES[face - 1]}s`;
    return `${NUMBERS[count] ?? count} ${count === 1 ? FACES[face - 1] : many}`;
  };
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
  const hiddenDice = (count) =>
    element(
      "span",
      { class: "dice", role: "img", "aria-label": counted(count, "hidden die", "hidden dice") },
      Array.from({ length: count }, () => die(0)),
    );
  const points = (number) => number.toFixed(2);
  const counted = (number, noun, nouns = `${noun}s`) => `${number} ${number === 1 ? noun : nouns}`;
  /** A table with column headings and one row for each item. */
  const table = (attributes, heads, items, row) =>
    element("table", attributes, columns(...heads), element("tbody", {}, items.map(row)));
  const section = (id, text, ...children) =>
    element("section", { "aria-labelledby": id }, element("h2", { id }, text), children);

  globalThis.tableParts = {
    element,
    button,
    actButton,
    memory,
    die,
    dice,
    hiddenDice,
    cell,
    heading,
    columns,
    wide,
    table,
    section,
    diceOf,
    points,
    counted,
  };
})();
