/** How the parts of a screen look. The 16 basic colours only, so that the user's own colours apply. */
export interface Theme {
  readonly ascii: boolean;
  readonly color: boolean;
  /** Colours by meaning; a word always says the same. */
  readonly colors: {
    readonly good: string;
    readonly waiting: string;
    readonly bad: string;
    readonly accent: string;
    readonly added: string;
    readonly removed: string;
  };
  readonly marks: {
    readonly selected: string;
    readonly marked: string;
    readonly unmarked: string;
    readonly cut: string;
    /** Before the count of lines that are below. */
    readonly down: string;
    readonly line: string;
    readonly upright: string;
    /** Upper left, upper right, lower left, lower right. */
    readonly corners: readonly [string, string, string, string];
    readonly bar: string;
    readonly barRest: string;
    readonly sparks: readonly string[];
  };
}

const colors = {
  good: "green",
  waiting: "yellow",
  bad: "red",
  accent: "cyan",
  added: "green",
  removed: "red",
} as const;

const graphic = {
  selected: "›",
  marked: "●",
  unmarked: "○",
  cut: "…",
  down: "↓",
  line: "─",
  upright: "│",
  corners: ["┌", "┐", "└", "┘"],
  bar: "█",
  barRest: "░",
  sparks: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
} as const;

const plain = {
  selected: ">",
  marked: "*",
  unmarked: " ",
  cut: "~",
  down: "v",
  line: "-",
  upright: "|",
  corners: ["+", "+", "+", "+"],
  bar: "#",
  barRest: ".",
  sparks: ["_", ".", "-", "=", "+", "*", "%", "#"],
} as const;

export function createTheme(look: { readonly color: boolean; readonly ascii: boolean }): Theme {
  return { ...look, colors, marks: look.ascii ? plain : graphic };
}
