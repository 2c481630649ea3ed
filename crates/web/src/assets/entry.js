"use strict";
// Updates the page of an entry, and checks the size of the file in the upload form.
(() => {
  const watch = (entry) => {
    const state = document.getElementById("state");
    const meaning = document.getElementById("meaning");
    const run = document.getElementById("run");
    const report = document.getElementById("report");
    const quiet = document.getElementById("quiet");
    const verdict = document.getElementById("verdict");
    const steps = [...document.getElementById("steps").children];
    let lines = Number(new URL(entry.dataset.live, location.href).searchParams.get("from"));

    const showState = (news) => {
      const shown = state.firstElementChild;
      if (shown.textContent !== news.state) {
        shown.textContent = news.state;
        shown.dataset.state = news.state;
      }
      if (meaning.textContent !== news.meaning) {
        meaning.textContent = news.meaning;
      }
      if (news.run !== null) {
        run.querySelector("a").href = `${entry.dataset.runs}/runs/${news.run}`;
        run.hidden = false;
      }
    };

    const showSteps = (news) => {
      news.steps.forEach(({ state, note }, index) => {
        const step = steps[index];
        step.dataset.step = state;
        if (state === "current") step.setAttribute("aria-current", "step");
        else step.removeAttribute("aria-current");
        step.querySelector(".step-state").textContent = note || { current: "in progress", never: "not reached" }[state] || state;
      });
    };

    /** Shows the verdict once there is one, and folds the report, which has it somewhere. */
    const showVerdict = (news) => {
      if (news.verdict.length === 0 || verdict.textContent !== "") return;
      verdict.textContent = news.verdict.map((line) => `${line}\n`).join("");
      document.getElementById("verdict-of").hidden = false;
      document.getElementById("whole").open = false;
    };

    const showReport = (news) => {
      const fresh = news.new.slice(Math.max(0, lines - news.from));
      if (fresh.length === 0) {
        return;
      }
      const box = report.parentElement;
      const follows = box.scrollHeight - box.scrollTop - box.clientHeight < 40;
      report.append(fresh.map((line) => `${line}\n`).join(""));
      lines += fresh.length;
      quiet.hidden = true;
      if (follows) {
        box.scrollTop = box.scrollHeight;
      }
    };

    const source = new EventSource(entry.dataset.live);
    source.addEventListener("message", (event) => {
      const news = JSON.parse(event.data);
      showState(news);
      showSteps(news);
      showReport(news);
      if (news.is_final) showVerdict(news);
      if (news.is_final) {
        source.close();
      }
    });
  };

  const guard = (form) => {
    const file = form.elements.namedItem("file");
    const error = document.getElementById("file-error");
    const check = () => {
      const [chosen] = file.files;
      const most = Number(file.dataset.most);
      const large = chosen !== undefined && chosen.size > most;
      error.textContent = large ? `This file is larger than ${most >> 20} MiB.` : "";
      error.hidden = !large;
      return !large;
    };
    file.addEventListener("change", check);
    form.addEventListener("submit", (event) => {
      if (!check()) {
        event.preventDefault();
        file.focus();
        return;
      }
      const button = form.querySelector("button");
      button.disabled = true;
      button.textContent = "Sending …";
    });
    // A page restored from the back/forward cache gets its button back.
    addEventListener("pageshow", () => {
      const button = form.querySelector("button");
      button.disabled = false;
      button.textContent = "Enter the bot";
    });
  };

  const entry = document.getElementById("entry");
  if (entry !== null && entry.dataset.live) {
    watch(entry);
  }
  const form = document.getElementById("enter");
  if (form !== null) {
    guard(form);
  }
})();
