// Shows dates in the reader's time zone. Without it they are in UTC.
(() => {
  "use strict";
  const format = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const show = (root) => root.querySelectorAll("time[datetime]").forEach((time) => {
    const date = new Date(time.dateTime);
    if (Number.isNaN(date.getTime()) || time.title) return;
    time.title = time.dateTime;
    time.textContent = format.format(date);
  });
  show(document);
  const live = document.getElementById("live");
  if (live) new MutationObserver(() => show(live)).observe(live, { childList: true });
})();
