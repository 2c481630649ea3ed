// Makes the cells of a table reachable by the arrow keys, and shows the text of the current one.
(() => {
  "use strict";
  const table = document.getElementById("heat");
  const told = document.getElementById("pair");
  if (!table || !told) return;
  const rows = [...table.tBodies[0].rows].map((row) => [...row.cells].slice(1));
  const tell = (cell) => { told.textContent = cell.dataset.told ?? ""; };
  let reached = rows[0]?.[1] ?? rows[0]?.[0];
  if (!reached) return;
  const reach = (cell) => {
    reached.tabIndex = -1;
    reached = cell;
    reached.tabIndex = 0;
    reached.focus();
  };
  rows.flat().forEach((cell) => { cell.tabIndex = -1; });
  reached.tabIndex = 0;
  table.addEventListener("focusin", (event) => { if (event.target.matches("td")) tell(event.target); });
  table.addEventListener("mouseover", (event) => { if (event.target.matches("td")) tell(event.target); });
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  table.addEventListener("keydown", (event) => {
    const step = steps[event.key];
    if (!step || !event.target.matches("td")) return;
    const y = rows.findIndex((row) => row.includes(reached));
    const x = rows[y].indexOf(reached);
    const next = rows[y + step[0]]?.[x + step[1]];
    if (!next) return;
    event.preventDefault();
    reach(next);
  });
})();
