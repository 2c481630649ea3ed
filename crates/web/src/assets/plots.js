// Draws the plots of a page. A table next to each has its numbers.
(() => {
  "use strict";
  if (!window.uPlot) return;
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const plots = [];

  const scores = (data) => {
    const series = [
      {},
      {
        stroke: colour("--accent"), fill: `${colour("--accent")}55`,
        paths: uPlot.paths.bars({ size: [0.9, 60], align: 1 }), points: { show: false },
      },
    ];
    const values = [data.scores, data.games];
    if (data.optimal) {
      series.push({ stroke: colour("--plot"), width: 2, points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }) });
      values.push(data.optimal);
    }
    return { series, values };
  };

  /** What the colours mean, and the numbers at the pointer. */
  const legendOf = (data) => {
    const part = (className, text) => Object.assign(document.createElement("span"), { className, textContent: text });
    const legend = Object.assign(document.createElement("p"), { className: "legend", ariaHidden: "true" });
    const reading = part("reading", "");
    legend.append(part("key", "this bot"));
    if (data.optimal) legend.append(part("key", "optimal play, as many games"));
    legend.append(reading);
    const read = (index) => {
      if (index === null || index === undefined) { reading.textContent = ""; return; }
      const optimal = data.optimal ? `, optimal play ${data.optimal[index].toFixed(1)}` : "";
      reading.textContent = `Score ${data.scores[index]}–${data.scores[index] + 9}: ${data.games[index]} games${optimal}`;
    };
    return { legend, read };
  };

  const draw = (place) => {
    const data = JSON.parse(document.getElementById(place.dataset.plot).textContent);
    const { legend, read } = legendOf(data);
    const { series, values } = scores(data);
    const axis = { stroke: colour("--faint"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line") } };
    const size = () => ({ width: place.clientWidth, height: Math.min(320, Math.max(200, place.clientWidth / 2.6)) });
    const plot = new uPlot({
      ...size(), series, axes: [{ ...axis, label: "score" }, { ...axis, label: "games" }], scales: { x: { time: false } },
      cursor: { drag: { x: false, y: false } }, legend: { show: false }, hooks: { setCursor: [(plot) => read(plot.cursor.idx)] },
    }, values, place);
    place.append(legend);
    new ResizeObserver(() => plot.setSize(size())).observe(place);
    return plot;
  };

  const all = () => {
    plots.splice(0).forEach((plot) => plot.destroy());
    document.querySelectorAll("[data-plot] .legend").forEach((legend) => legend.remove());
    document.querySelectorAll("[data-plot]").forEach((place) => plots.push(draw(place)));
  };
  all();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", all);
})();
