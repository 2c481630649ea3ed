"use strict";
// Elements that the pages of tables, replays and boards build: dice, bids in words, and what they consist of.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const FACES = ["one", "two", "three", "four", "five", "six"];
  const NUMBERS = ["no", ...FACES, "seven", "eight", "nine", "ten", "eleven", "twelve"];

  const byId = (id) => document.getElementById(id);

  /** An element. An attribute that is `false`, `null` or `undefined` is left out, and so is such a child. One like `onclick` is a listener. */
  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) made[key] = value;
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
    }
    made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
    return made;
  };

  const counted = (number, noun, nouns = `${noun}s`) => `${number} ${number === 1 ? noun : nouns}`;

  /** A number of dice of a face, as people say it: "four fives". */
  const diceOf = (count, face) => {
    const many = face === 6 ? "sixes" : `${FACES[face - 1]}s`;
    return `${NUMBERS[count] ?? count} ${count === 1 ? FACES[face - 1] : many}`;
  };

  /** The drawing of a die; 0 is a hidden one. */
  const die = (pips, isMarked = false) => {
    const drawing = document.createElementNS(SVG, "svg");
    drawing.setAttribute("class", isMarked ? "die marked" : "die");
    drawing.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#d${pips}`);
    drawing.append(use);
    return drawing;
  };

  /** Dice by their pips, with these as text for screen readers. `isMarked` gets the pips and the place of a die. */
  const dice = (pips, isMarked = () => false) =>
    element(
      "span",
      {
        class: "dice",
        role: "img",
        "aria-label": pips.includes(0) ? counted(pips.length, "hidden die", "hidden dice") : pips.join(" "),
      },
      pips.map((one, place) => die(one, isMarked(one, place))),
    );

  globalThis.elements = { byId, element, counted, diceOf, die, dice };
})();
