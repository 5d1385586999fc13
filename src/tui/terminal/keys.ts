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

export interface KeyParser {
  /** Keys in a piece of input, which may be cut anywhere. */
  push(chunk: string): (Key | Paste)[];
  /** Whether an escape waits for what may follow it. */
  readonly isWaiting: boolean;
  /** Emits what waits: an escape with nothing after it is the Esc key. */
  flush(): Key[];
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
export function createKeyParser(): KeyParser {
  let waiting = "";
  let isPasting = false;

  function push(chunk: string): (Key | Paste)[] {
    const keys: (Key | Paste)[] = [];
    let text = waiting + chunk;
    waiting = "";
    while (text !== "") {
      if (isPasting) {
        const end = text.indexOf(PASTE_END);
        if (end < 0 && text.length < MAX_PASTE) {
          waiting = text;
          return keys;
        }
        keys.push({ name: "paste", text: end < 0 ? text : text.slice(0, end) });
        isPasting = false;
        text = end < 0 ? "" : text.slice(end + PASTE_END.length);
        continue;
      }
      if (text.startsWith(PASTE_START)) {
        isPasting = true;
        text = text.slice(PASTE_START.length);
        continue;
      }
      if (unfinished.test(text)) {
        waiting = text;
        return keys;
      }
      const found = sequence.exec(text);
      if (found !== null) {
        const key = sequenceKey(found[1] ?? "", found[2] ?? found[3] ?? "");
        if (key !== undefined) keys.push(key);
        text = text.slice(found[0].length);
        continue;
      }
      if (text.startsWith(ESC)) {
        const next = String.fromCodePoint(text.codePointAt(1) ?? 0);
        if (next === ESC) keys.push({ name: "escape", text: "" });
        else keys.push({ name: `alt+${characterKey(next).name}`, text: "" });
        text = text.slice(next === ESC ? 1 : 1 + next.length);
        continue;
      }
      const character = String.fromCodePoint(text.codePointAt(0) ?? 0);
      keys.push(characterKey(character));
      text = text.slice(character.length);
    }
    return keys;
  }

  return {
    push,
    get isWaiting() {
      return waiting !== "" && !isPasting;
    },
    flush() {
      if (waiting === "" || isPasting) return [];
      const rest = waiting.slice(1);
      waiting = "";
      return [{ name: "escape", text: "" }, ...Array.from(rest, characterKey)];
    },
  };
}
