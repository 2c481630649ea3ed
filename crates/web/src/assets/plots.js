// Draws the plots of a page. A table next to each has its numbers.
(() => {
  "use strict";
  if (!window.uPlot) return;
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const plots = [];

  const scores = (data) => {
    const series = [
      { label: "score from" },
      {
        label: "this bot", stroke: colour("--accent"), fill: `${colour("--accent")}55`,
        paths: uPlot.paths.bars({ size: [0.9, 60], align: 1 }), points: { show: false },
      },
    ];
    const values = [data.scores, data.games];
    if (data.optimal) {
      series.push({ label: "optimal play, as many games", stroke: colour("--plot"), width: 2, points: { show: false }, paths: uPlot.paths.stepped({ align: 1 }) });
      values.push(data.optimal);
    }
    return { series, values };
  };

  const draw = (place) => {
    const data = JSON.parse(document.getElementById(place.dataset.plot).textContent);
    const { series, values } = scores(data);
    const axis = { stroke: colour("--faint"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line") } };
    const size = () => ({ width: place.clientWidth, height: Math.min(320, Math.max(200, place.clientWidth / 2.6)) });
    const plot = new uPlot({
      ...size(), series, axes: [{ ...axis, label: "score" }, { ...axis, label: "games" }], scales: { x: { time: false } },
      cursor: { drag: { x: false, y: false } }, legend: { live: true },
    }, values, place);
    new ResizeObserver(() => plot.setSize(size())).observe(place);
    return plot;
  };

  const all = () => {
    plots.splice(0).forEach((plot) => plot.destroy());
    document.querySelectorAll("[data-plot]").forEach((place) => plots.push(draw(place)));
  };
  all();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", all);
})();
