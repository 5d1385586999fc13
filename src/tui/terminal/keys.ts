/** A key press. Printable keys have their own text as name; others are `up`, `enter`, `ctrl+c`, `shift+tab` ... */
export interface Key {
  readonly name: string;
  /** What to insert in a text field; empty for keys that are no text. */
  readonly text: string;
}

/** Text that was pasted as a whole. It never stands for keys. */
export interface Paste {
  readonly name: "paste";
  readonly text: string;
}

/** What the beginning of an input is. */
interface Part {
  readonly key?: Key | Paste | undefined;
  readonly length: number;
}

const ESC = "\u001b";
const PASTE_START = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;
/** A paste that never ends must not swallow every later key. */
const MAX_PASTE = 1_000_000;

const finalNames: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
  Z: "shift+tab",
};
const numberNames: Readonly<Record<string, string>> = {
  "1": "home",
  "3": "delete",
  "4": "end",
  "5": "pageup",
  "6": "pagedown",
  "7": "home",
  "8": "end",
};
const controlNames: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "enter",
  "\t": "tab",
  "\b": "backspace",
  "\u007f": "backspace",
};

// A CSI or SS3 sequence, whole; or the start of one.
const sequence = new RegExp(`^${ESC}(?:\\[([0-9;?<]*)([@-~])|O([@-~]))`);
const unfinished = new RegExp(`^${ESC}(?:\\[[0-9;?<]*|O)?$`);

function sequenceKey(parameters: string, final: string): Key | undefined {
  const [number = "", modifier = ""] = parameters.split(";");
  const name = final === "~" ? numberNames[number] : finalNames[final];
  if (name === undefined) return undefined;
  // Modifiers are 1 and a sum of 1 shift, 2 alt, 4 control.
  const held = Math.max(0, Number(modifier || "1") - 1);
  const prefix = `${held & 4 ? "ctrl+" : ""}${held & 2 ? "alt+" : ""}${held & 1 ? "shift+" : ""}`;
  return { name: `${prefix}${name}`, text: "" };
}

function characterKey(character: string): Key {
  const named = controlNames[character];
  if (named !== undefined) return { name: named, text: "" };
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return { name: `ctrl+${String.fromCharCode(code + 0x60)}`, text: "" };
  return { name: character === " " ? "space" : character, text: character };
}

/** Reads the bytes of a terminal as keys. Pure but for the text that waits for its rest. */
export class KeyParser {
  #waiting = "";
  #isPasting = false;

  /** Whether an escape waits for what may follow it. */
  get isWaiting(): boolean {
    return this.#waiting !== "" && !this.#isPasting;
  }

  /** Keys in a piece of input, which may be cut anywhere. */
  push(chunk: string): (Key | Paste)[] {
    const keys: (Key | Paste)[] = [];
    let text = this.#waiting + chunk;
    while (text !== "") {
      const part = this.#isPasting ? this.#pasted(text) : this.#typed(text);
      if (part === undefined) break;
      if (part.key !== undefined) keys.push(part.key);
      text = text.slice(part.length);
    }
    this.#waiting = text;
    return keys;
  }

  /** Emits what waits: an escape with nothing after it is the Esc key. */
  flush(): Key[] {
    if (!this.isWaiting) return [];
    const rest = this.#waiting.slice(1);
    this.#waiting = "";
    return [{ name: "escape", text: "" }, ...Array.from(rest, characterKey)];
  }

  /** Undefined when its end has not arrived. */
  #pasted(text: string): Part | undefined {
    const end = text.indexOf(PASTE_END);
    if (end < 0 && text.length < MAX_PASTE) return undefined;
    this.#isPasting = false;
    if (end < 0) return { key: { name: "paste", text }, length: text.length };
    return { key: { name: "paste", text: text.slice(0, end) }, length: end + PASTE_END.length };
  }

  /** Undefined when the rest of a sequence has not arrived. */
  #typed(text: string): Part | undefined {
    if (text.startsWith(PASTE_START)) {
      this.#isPasting = true;
      return { length: PASTE_START.length };
    }
    if (unfinished.test(text)) return undefined;
    const found = sequence.exec(text);
    if (found !== null) {
      return { key: sequenceKey(found[1] ?? "", found[2] ?? found[3] ?? ""), length: found[0].length };
    }
    if (!text.startsWith(ESC)) {
      const character = String.fromCodePoint(text.codePointAt(0) ?? 0);
      return { key: characterKey(character), length: character.length };
    }
    const next = String.fromCodePoint(text.codePointAt(1) ?? 0);
    if (next === ESC) return { key: { name: "escape", text: "" }, length: 1 };
    return { key: { name: `alt+${characterKey(next).name}`, text: "" }, length: 1 + next.length };
  }
}
