// Replaces a part of the page whenever its version on the server changes.
(() => {
  "use strict";
  const live = document.getElementById("live");
  if (!live || !window.EventSource) return;
  const told = document.getElementById("told");
  let shown = null;
  let wanted = null;
  let busy = false;

  // The elements that can have the focus, and what identifies each.
  const places = () => [...live.querySelectorAll("a[href], [tabindex], summary, button, input")];
  const sign = (part) => part.localName + " " +
    (part.getAttribute("href") ?? part.getAttribute("aria-labelledby") ?? part.textContent);

  // Keeps open details, scroll positions and the focus.
  const keep = () => {
    const open = [...live.querySelectorAll("details")].map((part) => part.open);
    const unfolded = [...live.querySelectorAll("[data-unfold]")].map((box) => box.checked);
    const wide = [...live.querySelectorAll(".wide")].map((part) => part.scrollLeft);
    const reached = live.contains(document.activeElement) ? sign(document.activeElement) : null;
    return () => {
      live.querySelectorAll("details").forEach((part, i) => { part.open = Boolean(open[i]); });
      live.querySelectorAll("[data-unfold]").forEach((box, i) => { box.checked = Boolean(unfolded[i]); });
      live.querySelectorAll(".wide").forEach((part, i) => { part.scrollLeft = wide[i] || 0; });
      places().find((part) => sign(part) === reached)?.focus({ preventScroll: true });
    };
  };

  const crown = () => live.querySelector(".crown")?.textContent ?? "";

  const show = async () => {
    if (busy || wanted === shown) return;
    busy = true;
    const version = wanted;
    try {
      const answer = await fetch(live.dataset.from, { headers: { accept: "text/html" } });
      if (answer.ok) {
        const before = crown();
        const restore = keep();
        live.innerHTML = await answer.text();
        restore();
        shown = version;
        live.dataset.version = version;
        if (told && crown() !== before) told.textContent = crown();
      }
    } catch {
      // The server cannot be reached; the next event starts another attempt.
    }
    busy = false;
    if (wanted !== shown) setTimeout(show, 500);
  };

  const events = new EventSource(live.dataset.live);
  events.onmessage = (event) => {
    wanted = event.data;
    if (shown === null) { shown = wanted; live.dataset.version = shown; return; }
    // A random delay spreads the requests of many viewers.
    setTimeout(show, Math.random() * 300);
  };
})();
