/** Longest text that reaches a terminal in one piece; more is cut with `…`. */
export const MAX_CLEAN_LENGTH = 10_000;

// Everything a terminal obeys or an eye cannot see: C0 and C1 controls, line separators, direction and zero-width
// controls, interlinear marks, tag characters. Variation selectors stay: they choose how an emoji looks.
const suspicious =
  /(?![\ufe00-\ufe0f])[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;
// Between the lines of JSON; a match for each of them would take ten times as long.
const suspiciousInJson = new RegExp(`(?!\\n)${suspicious.source}`, "gu");
const lineBreaks = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

function visible(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (char === "\n") return char;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  // A C1 control means the same as ESC and a letter; that spelling can be seen.
  if (code >= 0x80 && code <= 0x9f) return `␛${String.fromCodePoint(code - 0x40)}`;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

const loneSurrogate = /\p{Surrogate}/gu;

const wellFormed = (text: string): string => text.replace(loneSurrogate, "\ufffd");

function bounded(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // The cut must not leave half a character behind.
  return `${text.slice(0, Math.max(0, maxLength - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Makes text that came from outside safe for several lines of a terminal: line feeds stay, nothing else commands it. */
export function cleanText(text: string, maxLength = MAX_CLEAN_LENGTH): string {
  return bounded(
    bounded(wellFormed(text), maxLength).replace(lineBreaks, "\n").replace(suspicious, visible),
    maxLength,
  );
}

// What a terminal obeys, wherever a pipe leads to one. Joiners and other marks that draw nothing are letters of some languages,
// and stay. Tabs and line ends stay, too; they are left out of the expression because testing each would take ten times as long.
const commanding = /(?![\t\n]|\r\n)[\p{Cc}\p{Bidi_Control}]/gu;

/**
 * Text for people on its way to stdout, of any length, with its tabs and line ends. A pipe may lead to a terminal (`| grep`,
 * `| head`), so nothing in it commands one; on a terminal, what the eye cannot see is shown as well.
 */
export function cleanOutput(text: string, isTerminal: boolean): string {
  return isTerminal ? cleanDocument(text) : text.replace(commanding, visible);
}

/** As `cleanText`, for whole documents of a machine format on a terminal: of any length, with its tabs and line ends. */
function cleanDocument(text: string): string {
  return wellFormed(text).replace(suspicious, (char, at: number) => {
    const isFormat = char === "\t" || (char === "\r" && text[at + 1] === "\n");
    return isFormat ? char : visible(char);
  });
}

/** As `cleanText`, for output of one line: line breaks become `⏎`. */
export function cleanLine(text: string, maxLength = MAX_CLEAN_LENGTH): string {
  const oneLine = bounded(wellFormed(text), maxLength).replace(lineBreaks, "⏎");
  return bounded(oneLine.replace(suspicious, visible), maxLength);
}

/** Escapes what JSON allows but a terminal or an eye does not: C1 controls, DEL, direction and zero-width controls. */
export function escapeJson(json: string): string {
  return json.replace(suspiciousInJson, (char) =>
    [...Array(char.length).keys()].map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
}

/** As `escapeJson`, for YAML whose texts with such characters are in double quotes. */
export function escapeYaml(yaml: string): string {
  return yaml.replace(suspiciousInJson, (char) => {
    const code = (char.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
  });
}

/** Names of devices, which Windows does not use for files, with any ending. */
const reservedName = /^(con|prn|aux|nul|(com|lpt)[\d¹²³]|conin\$|conout\$) *(\.|$)/i;

/** Reduces a file name from a server to a relative path that stays below the folder it is written to. */
export function safeRelativePath(name: string): string {
  const parts = cleanLine(name, 4_000)
    .split(/[/\\]+/)
    .map((part) =>
      part
        .replace(/[<>:"|?*]/g, "_")
        .slice(0, 200)
        .replace(/[. ]+$/, ""),
    )
    .filter((part) => part !== "" && part !== "." && part !== "..");
  return parts.map((part) => (reservedName.test(part) ? `_${part}` : part)).join("/") || "unnamed";
}
