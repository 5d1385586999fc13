// The moving picture of the README: the program in a terminal and the console in a browser, one after the other.
import { watchMinute } from "./live-data.js";
import { NOW_MS, openPlace } from "./place.js";
import { BAR, barOf, documentOf, linesOf, sizeOf, windowOf } from "./svg.js";
import { runInTerminal } from "./terminal.js";

const COLUMNS = 110;
const ROWS = 30;
const SIZE = sizeOf({ cols: COLUMNS, rows: ROWS });
const TITLE = "iotdeck: the live view, the fleet, the migration wizard and the console";

/** One picture and how long it is shown. */
const frame = (content, ms) => ({ content, ms });

/** The frames of a command: its line, and the screen after each step. `msOf` may leave one out. */
async function framesOf(place, { args, steps, line, msOf }) {
  const frames = [];
  const picture = (screen) => windowOf(linesOf(screen), line, SIZE.width, SIZE.height);
  let step = 0;
  await runInTerminal(place, {
    ...{ args, steps, columns: COLUMNS, rows: ROWS },
    onStep(screen) {
      const ms = msOf(step, steps.length);
      if (ms > 0) frames.push(frame(picture(screen), ms));
      step += 1;
    },
  });
  return [
    frame(`${barOf("", SIZE.width, SIZE.height)}<text x="16" y="${BAR + 13}">$ ${line}</text>`, 1_200),
    ...frames,
  ];
}

/** The frames in the terminal. The live view comes last of the runs: it sends data. */
export async function tourInTerminal(sandbox, place) {
  const fleet = await framesOf(place, {
    args: ["fleet", "--battery", "battery<20"],
    steps: [["", /low battery[\s\S]*Failing analyses/]],
    line: "iot fleet",
    msOf: () => 3_500,
  });
  const wizard = await framesOf(place, {
    args: ["dashboard", "migrate"],
    steps: [
      ["", /Plant, old widgets +40 legacy/],
      ["\r", /1 of 1/],
      ["\r", /\[diff\]/],
    ],
    line: "iot dashboard migrate",
    msOf: () => 2_200,
  });
  return [...(await liveFrames(sandbox)), ...fleet, ...wizard];
}

async function liveFrames(sandbox) {
  const place = await openPlace(sandbox);
  try {
    place.setDate(NOW_MS - 60_000);
    return await framesOf(place, {
      args: ["device", "watch", "name:Freezer 1"],
      steps: [...watchMinute(sandbox, place), ["j", /─ temperature/]],
      line: "iot device watch 'name:Freezer 1'",
      // A minute in six seconds; the chart of the other variable stays longer.
      msOf: (step, steps) => (step === steps - 1 ? 2_000 : step % 2 === 0 ? 400 : 0),
    });
  } finally {
    place.close();
  }
}

/** The console, as a picture that fills the window. */
export function consoleFrame(png) {
  const data = Buffer.from(png).toString("base64");
  const inside = { width: SIZE.width - 2, height: SIZE.height - BAR - 10 };
  const image = `<image x="1" y="${BAR}" width="${inside.width}" height="${inside.height}" preserveAspectRatio="xMidYMin slice" href="data:image/png;base64,${data}"/>`;
  return frame(`${barOf("iot sandbox open", SIZE.width, SIZE.height)}\n${image}`, 4_000);
}

/**
 * The frames as one picture that moves by itself. The fullest screen lies below all others: it is what those see who want no
 * motion, and programs that cannot move pictures.
 */
export function tourOf(frames) {
  const totalMs = frames.reduce((sum, { ms }) => sum + ms, 0);
  const lengths = [...new Set(frames.map(({ ms }) => ms))];
  const shares = lengths.map(
    (ms) =>
      `@keyframes t${ms} { 0% { visibility: visible } ${((100 * ms) / totalMs).toFixed(3)}%, 100% { visibility: hidden } }`,
  );
  let startMs = 0;
  const moving = frames.map(({ content, ms }) => {
    const group = `<g class="frame" style="animation-name: t${ms}; animation-delay: ${startMs}ms">\n${content}\n</g>`;
    startMs += ms;
    return group;
  });
  const styles = `.frame { visibility: hidden; animation: ${totalMs}ms step-end infinite }
@media (prefers-reduced-motion: reduce) { .frame { animation: none } }
${shares.join("\n")}
`;
  const fullness = ({ content }) => withoutPhotograph(content).length;
  const still = frames.reduce((best, one) => (fullness(one) > fullness(best) ? one : best));
  return documentOf(SIZE.width, SIZE.height, TITLE, styles, [still.content, ...moving].join("\n"));
}

/** The picture without its photograph of the console, which browsers draw with small differences. */
export const withoutPhotograph = (svg) => svg.replaceAll(/ href="data:image\/png;base64,[^"]*"/g, "");
