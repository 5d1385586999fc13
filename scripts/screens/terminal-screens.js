// The pictures of the terminal, and the texts of its screen in docs/live-view.md.
import { join } from "node:path";
import { watchMinute, writeRecording } from "./live-data.js";
import { NOW_MS, openPlace } from "./place.js";
import { svgOf } from "./svg.js";
import { runInTerminal, textOf } from "./terminal.js";

const freezer = "name:Freezer 1";

/** The pictures by their name. */
export async function drawScreens(sandbox, place) {
  const draw = async (title, screen) => svgOf(await runInTerminal(place, screen), title);
  const chart = 'iot device data chart "name:Freezer 1" --variable temperature --last 24h';
  const [wizard, chartPicture, fleet] = await Promise.all([
    draw("iot dashboard migrate", {
      args: ["dashboard", "migrate"],
      columns: 120,
      rows: 32,
      steps: [
        ["", /Plant, old widgets +40 legacy/],
        ["\r", /1 of 1/],
        ["\r", /\[diff\]/],
      ],
    }),
    draw("iot device data chart", {
      args: ["device", "data", "chart", freezer, "--variable", "temperature", "--last", "24h", "--height", "16"],
      columns: 100,
      rows: 17,
      before: `\u001b[32m$\u001b[39m ${chart}\r\n`,
      steps: [["", /14:03 .*14:03/]],
    }),
    draw("iot fleet", {
      args: ["fleet", "--battery", "battery<20"],
      columns: 110,
      rows: 20,
      steps: [["", /low battery[\s\S]*Failing analyses/]],
    }),
  ]);
  // Afterwards, because it sends data.
  const live = await drawLiveView(sandbox);
  return { "wizard.svg": wizard, "chart.svg": chartPicture, "fleet.svg": fleet, "live-view.svg": live };
}

async function drawLiveView(sandbox) {
  const place = await openPlace(sandbox);
  try {
    place.setDate(NOW_MS - 60_000);
    const screen = await runInTerminal(place, {
      args: ["device", "watch", freezer],
      columns: 80,
      rows: 20,
      steps: [...watchMinute(sandbox, place), ["j", /─ temperature/], ["k", /─ power/], ["j", /─ temperature/]],
    });
    return svgOf(screen, 'iot device watch "name:Freezer 1"');
  } finally {
    place.close();
  }
}

/** The text of a screen of a replayed recording, by the name it has in the page. */
export async function textScreens(place) {
  writeRecording(join(place.folder, "pump.ndjson"));
  const args = ["stream", "--replay", "pump.ndjson", "--speed", "0"];
  const steps = [
    ["", /STOPPED/],
    ["?", /redraw the screen/],
  ];
  return { keys: textOf(await runInTerminal(place, { args, columns: 80, rows: 24, steps })) };
}

/** A page with its texts of the screen. */
export function withTexts(page, texts) {
  for (const [name, text] of Object.entries(texts)) {
    const block = new RegExp(`(<!-- capture: ${name} -->\n\`\`\`text\n)[\\s\\S]*?(\n\`\`\`)`);
    if (!block.test(page)) throw new Error(`The page has no block for "${name}".`);
    page = page.replace(block, (_all, before, after) => `${before}${text}${after}`);
  }
  return page;
}
