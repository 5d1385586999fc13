/** Elements and attributes a drawing may have: no scripts, no styles in attributes, nothing that loads or leads anywhere. */
const ELEMENTS = new Set(
  "figure figcaption div span p b pre table thead tbody tr th td br svg g rect circle line path text title desc".split(
    " ",
  ),
);
const ATTRIBUTES = new Set(
  (
    "class data-theme data-structure aria-hidden aria-label role title scope tabindex viewBox width height x y cx cy r rx x1 y1 x2 y2 d " +
    "fill fill-opacity stroke stroke-width stroke-linejoin stroke-linecap stroke-dasharray font-size font-weight text-anchor opacity transform"
  ).split(" "),
);
const TAG = /<(\/?)([a-z]+)((?: [a-zA-Z0-9-]+="[^"<>]*")*)(\/?)>/y;
const ENTITY = /&(?!(?:amp|lt|gt|quot|#39);)/;

/** What is wrong with a drawing; [] if it is well-formed, harmless HTML. */
export function faultsOf(html: string): string[] {
  const faults = new Set<string>();
  const open: string[] = [];
  let place = 0;
  const text = (part: string): void => {
    if (/[<>"]/.test(part) || ENTITY.test(part)) faults.add(`unescaped text ${part.slice(0, 60)}`);
  };
  while (place < html.length) {
    const next = html.indexOf("<", place);
    if (next < 0) break;
    text(html.slice(place, next));
    TAG.lastIndex = next;
    const found = TAG.exec(html);
    if (found === null) return [...faults, `no tag at ${html.slice(next, next + 80)}`];
    const [whole, end, name = "", attributes = "", isEmpty] = found;
    if (!ELEMENTS.has(name)) faults.add(`element ${name}`);
    for (const [, key = "", value = ""] of attributes.matchAll(/ ([a-zA-Z0-9-]+)="([^"]*)"/g)) {
      if (!ATTRIBUTES.has(key)) faults.add(`attribute ${key}`);
      if (ENTITY.test(value)) faults.add(`unescaped attribute ${value.slice(0, 60)}`);
      if (key !== "aria-label" && key !== "title" && /NaN|Infinity|undefined|url\(|javascript:/.test(value))
        faults.add(`${key}="${value.slice(0, 60)}"`);
    }
    if (end === "/") {
      if (open.pop() !== name) faults.add(`</${name}> closes something else`);
    } else if (isEmpty !== "/") open.push(name);
    place = next + whole.length;
    if (open.length === 0 && place < html.length) faults.add("more than one root element");
  }
  text(html.slice(place));
  if (open.length > 0) faults.add(`not closed: ${open.join(" ")}`);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there
  if (/[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069]/.test(html)) faults.add("a control character");
  return [...faults];
}
