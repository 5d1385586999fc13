import { type Topic, terms, title } from "./blocks.ts";

export const accessibility: Topic = {
  name: "accessibility",
  summary: "screen readers, colour, plain terminals",
  blocks: () => [
    '--accessible, or the variable IOT_ACCESSIBLE=1 or ACCESSIBLE=1, makes all output readable from top to bottom: no animations or redrawing, numbered choices instead of interactive lists, words instead of symbols, and tables as "field: value" blocks. The two screens (migration wizard, live view) become line-by-line prompts and an event log.',
    "To enable it for every command:",
    { lines: ["iot config set accessible true"] },
    title("Colour and characters"),
    terms([
      ["--no-color, NO_COLOR=1", "no colour; TERM=dumb means the same"],
      ["--color always", "colour in pipes too"],
      ["--ascii", "only ASCII characters in tables, borders and charts"],
      ["--no-progress", "no progress lines"],
    ]),
    "Colour is never the only carrier of meaning, and only the 16 basic colours are used, so your terminal theme applies. Every message starts with info, warning, error or hint.",
    title("Screens"),
    'Both screens work with the keyboard alone; ? lists the keys, q and Ctrl-C quit. Everything they do is also available as flags: "iot dashboard migrate --help" and "iot device watch --help". In terminals smaller than 60x16 the wizard prompts line by line.',
    title("Untrusted text"),
    "Text from the platform, a file or a device is sanitized before it is shown: control characters and text direction marks appear as visible symbols. Machine formats (json, csv ...) keep it unchanged.",
  ],
};
