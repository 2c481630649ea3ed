// Keeps a part of a page as it is now on the server, without a reload.
(() => {
  "use strict";
  const live = document.getElementById("live");
  if (!live || !window.EventSource) return;
  const told = document.getElementById("told");
  let shown = null;
  let wanted = null;
  let busy = false;

  // Where somebody may be by keyboard, and what tells these places apart.
  const places = () => [...live.querySelectorAll("a[href], [tabindex], summary, button")];
  const sign = (part) => part.localName + " " +
    (part.getAttribute("href") ?? part.getAttribute("aria-labelledby") ?? part.textContent);

  // What somebody has opened, scrolled or reached by keyboard stays so.
  const keep = () => {
    const open = [...live.querySelectorAll("details")].map((part) => part.open);
    const wide = [...live.querySelectorAll(".wide")].map((part) => part.scrollLeft);
    const reached = live.contains(document.activeElement) ? sign(document.activeElement) : null;
    return () => {
      live.querySelectorAll("details").forEach((part, i) => { part.open = Boolean(open[i]); });
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
      // The server is away for a moment: the next event asks again.
    }
    busy = false;
    if (wanted !== shown) setTimeout(show, 500);
  };

  const events = new EventSource(live.dataset.live);
  events.onmessage = (event) => {
    wanted = event.data;
    if (shown === null) { shown = wanted; live.dataset.version = shown; return; }
    // Many who watch do not all ask in the same moment.
    setTimeout(show, Math.random() * 300);
  };
})();
