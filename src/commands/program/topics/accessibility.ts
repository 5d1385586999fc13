import { type Topic, terms, title } from "./blocks.ts";

export const accessibility: Topic = {
  name: "accessibility",
  summary: "screen readers, colour, plain terminals",
  blocks: () => [
    '--accessible, or the variable IOT_ACCESSIBLE=1 or ACCESSIBLE=1, makes all output readable from top to bottom: no animation and no redrawing, numbered choices instead of lists to move in, words for states, and tables as blocks of "field: value". The two screens (migration wizard, live view) become questions line by line and a log of events.',
    "To keep it for every command:",
    { lines: ["iot config set accessible true"] },
    title("Colour and characters"),
    terms([
      ["--no-color, NO_COLOR=1", "no colour; TERM=dumb means the same"],
      ["--color always", "colour in pipes too"],
      ["--ascii", "only ASCII characters in tables, borders and charts"],
      ["--no-progress", "no progress lines"],
    ]),
    "Colour never carries a meaning alone, and only the 16 basic colours are used, so the theme of the terminal applies. Every message starts with a word: info, warning, error or hint.",
    title("Screens"),
    'Both screens can be used with the keyboard alone; ? lists the keys, q and Ctrl-C leave. Everything they do can be had with flags: "iot dashboard migrate --help" and "iot device watch --help". In terminals smaller than 60x16 the wizard asks line by line.',
    title("Text from elsewhere"),
    "Text from the platform, a file or a device is cleaned before it is shown: control characters and marks that change the direction of writing appear as visible signs. Machine formats (json, csv ...) keep it as it is.",
  ],
};
