/** The page's only script: rows of live data as they arrive. Text from the stream is only ever set as text. */
export const SCRIPT = `
"use strict";
const live = document.getElementById("live");
if (live) {
  const MAX_ROWS = 200;
  const body = live.querySelector("tbody");
  const state = document.getElementById("live-state");
  const counter = document.getElementById("live-count");
  const button = document.getElementById("live-pause");
  const waiting = [];
  let isPaused = false;
  let count = 0;

  const cell = (name, text, className) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const valueOf = (row) =>
    row.location ? row.location.coordinates.join(", ") : row.value === undefined ? "" : String(row.value);
  const say = (text, className) => {
    if (state.textContent === text) return;
    state.textContent = text;
    state.className = "state " + className;
  };
  const show = ({ device, name, row }) => {
    const line = document.createElement("tr");
    const link = document.createElement("a");
    link.href = "/__sandbox/?view=device&id=" + encodeURIComponent(device);
    link.textContent = name;
    const holder = document.createElement("td");
    holder.append(link);
    const time = String(row.time ?? "").replace("T", " ").replace("Z", "");
    line.append(
      cell("td", time, "time"), holder, cell("td", row.variable ?? ""),
      cell("td", valueOf(row), "number"), cell("td", row.unit ?? ""),
    );
    body.prepend(line);
    while (body.rows.length > MAX_ROWS) body.lastElementChild.remove();
  };
  const tell = () => {
    say(isPaused ? "Paused" : "Live", isPaused ? "warn" : "good");
    counter.textContent =
      count + (count === 1 ? " record" : " records") + (isPaused ? ", " + waiting.length + " waiting" : "");
  };

  const source = new EventSource(live.dataset.stream);
  source.onopen = tell;
  source.onerror = () => say("No connection; trying again", "bad");
  source.onmessage = (event) => {
    const { payload } = JSON.parse(event.data);
    for (const row of payload.records) {
      count += 1;
      const item = { device: payload.device, name: payload.name, row };
      if (isPaused) waiting.push(item);
      else show(item);
    }
    if (waiting.length > MAX_ROWS) waiting.splice(0, waiting.length - MAX_ROWS);
    tell();
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    isPaused = !isPaused;
    button.textContent = isPaused ? "Go on" : "Pause";
    button.setAttribute("aria-pressed", String(isPaused));
    for (const item of isPaused ? [] : waiting.splice(0)) show(item);
    tell();
  });
}
`.trimStart();
