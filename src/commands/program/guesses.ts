import { nearest } from "../kit/failures/nearest.ts";

/** Words people type for a verb, and the words used here, the likeliest first. */
export const verbs = new Map<string, readonly string[]>(
  Object.entries({
    add: ["create", "set"],
    clear: ["empty"],
    cat: ["download"],
    clone: ["duplicate", "copy"],
    copy: ["duplicate"],
    cp: ["copy", "duplicate"],
    describe: ["get", "show"],
    download: ["export", "pull", "get"],
    duplicate: ["copy"],
    down: ["stop"],
    edit: ["update", "set"],
    execute: ["run", "exec"],
    find: ["list"],
    follow: ["watch", "console"],
    invoke: ["run", "trigger"],
    listen: ["watch"],
    get: ["download"],
    info: ["get", "show", "current"],
    inspector: ["inspect"],
    log: ["console", "inspect", "logs", "audit"],
    logs: ["console", "inspect", "audit"],
    modify: ["update", "set"],
    mv: ["move", "update"],
    new: ["create", "add"],
    off: ["disable"],
    on: ["enable"],
    patch: ["update"],
    publish: ["deploy", "apply"],
    push: ["deploy", "apply", "upload"],
    put: ["set", "upload", "update"],
    remove: ["delete", "unset"],
    rename: ["move", "update"],
    rm: ["delete", "remove", "unset"],
    run: ["trigger"],
    search: ["list"],
    serve: ["dev", "start"],
    set: ["update", "use"],
    show: ["get", "status", "current"],
    start: ["run"],
    switch: ["use"],
    tail: ["watch", "console", "logs"],
    trigger: ["run"],
    unset: ["delete", "remove"],
    up: ["start"],
    upload: ["import", "deploy", "set"],
    use: ["switch"],
    view: ["get", "show"],
  }),
);

/** Command lines whose last word is elsewhere. */
export const moved = new Map<string, string>(
  Object.entries({
    "iot analysis secret": "iot secret list",
    "iot analysis secrets": "iot secret list",
    "iot auth can-i": "iot auth whoami",
    "iot auth refresh": "iot auth login",
    "iot auth switch": "iot env use",
    "iot billing cost": "iot billing summary",
    "iot billing invoices": "iot billing history",
    "iot billing plan": "iot billing subscription",
    "iot analysis create --interval": "iot action create",
    "iot analysis update --interval": "iot action create",
    "iot config current-context": "iot env current",
    "iot config get-contexts": "iot env list",
    "iot config set-context": "iot env update",
    "iot config use": "iot env use",
    "iot config use-context": "iot env use",
    "iot config view": "iot config list",
    "iot device activate": "iot device update",
    "iot device deactivate": "iot device update",
    "iot device disable": "iot device update",
    "iot device enable": "iot device update",
    "iot device data add": "iot device data send",
    "iot device data create": "iot device data send",
    "iot device data get": "iot device data list",
    "iot device data insert": "iot device data send",
    "iot device data inspect": "iot device inspect",
    "iot device data last": "iot device data list",
    "iot device data query": "iot device data list",
    "iot device data tail": "iot device watch",
    "iot device data watch": "iot device watch",
    "iot entity insert": "iot entity data add",
    "iot entity query": "iot entity data list",
    "iot entity rows": "iot entity data list",
    "iot env create": "iot env add",
    "iot env set": "iot env use",
    "iot portal invite": "iot run user create",
    "iot portal list": "iot run user list",
    "iot portal open": "iot run get",
    "iot portal settings": "iot run get",
    "iot portal sign-in": "iot portal login",
    "iot portal signin": "iot portal login",
    "iot portal signup": "iot run user create",
    "iot portal url": "iot run get",
    "iot profile current": "iot profile get",
    "iot run list": "iot run user list",
    "iot run login": "iot run user login",
    "iot run open": "iot run get",
    "iot run url": "iot run get",
    "iot sandbox list": "iot sandbox status",
    "iot sandbox ls": "iot sandbox status",
    "iot sandbox restart": "iot sandbox reset",
    "iot sandbox run": "iot sandbox exec",
    "iot secret bulk": "iot secret create",
    "iot secret put": "iot secret create",
    "iot secret set": "iot secret create",
  }),
);

/** Nouns whose commands people look for under the other: one is for who manages the portal, one for its users. */
export const beside = new Map<string, string>(Object.entries({ "iot portal": "run", "iot run": "portal" }));

/** Commands of the official program that have no equal here, and what there is instead. */
export const absent = new Map<string, string>(
  Object.entries({
    "copy-tab": 'Single tabs are not copied; "iot dashboard duplicate" copies a dashboard.',
    "entity-copy": 'Use "iot entity schema", "iot entity data export" and "iot entity data import".',
  }),
);

/** Nouns that are gone, and what their commands became; the longest start of a line counts. */
export const replaced = new Map<string, string>(
  Object.entries({
    self: 'Use self as the id of a device: "iot device get self", "iot device data list self", "iot device param list self".',
    "self data": 'Run "iot device data list self".',
    "self data delete": 'Run "iot device data delete self".',
    "self data send": 'Run "iot device data send self".',
    "self get": 'Run "iot device get self".',
    "self info": 'Run "iot device get self".',
    "self param": 'Run "iot device param list self".',
    "self params": 'Run "iot device param list self".',
  }),
);

/** Flags people type, and the flags that may mean the same, the likeliest first. */
export const flags = new Map<string, readonly string[]>(
  Object.entries({
    "-L": ["--limit", "--lines"],
    "-d": ["--input", "--field"],
    "-f": ["--follow", "--input", "--file"],
    "-l": ["--limit", "--lines"],
    "-n": ["--limit", "--lines", "--name"],
    "--body": ["--input"],
    "--data": ["--input"],
    "--end": ["--to"],
    "--environment": ["--env"],
    "--file": ["--input", "--from", "--out"],
    "--jobs": ["--concurrency"],
    "--force": ["--yes", "--confirm"],
    "--format": ["--output"],
    "--key": ["--name"],
    "--label": ["--name"],
    "--limit": ["--lines", "--count"],
    "--lines": ["--limit"],
    "--name": ["--key", "--title", "--label"],
    "--silent": ["--quiet"],
    "--since": ["--from"],
    "--start": ["--from"],
    "--title": ["--label", "--name"],
    "--until": ["--to"],
    "--where": ["--filter"],
  }),
);

/** Switches that turn off what another turns on. */
const opposites = new Map<string, readonly string[]>(
  Object.entries({
    "--active": ["--inactive"],
    "--lock": ["--unlocked"],
    "--newsletter": ["--no-news"],
    "--visible": ["--hidden"],
  }),
);

/** The command line that is meant by a word which `title` does not know. */
export function guessVerb(title: string, word: string, known: ReadonlySet<string>): string | undefined {
  const elsewhere = moved.get(`${title} ${word}`);
  if (elsewhere !== undefined) return elsewhere;
  const verb = verbs.get(word)?.find((candidate) => known.has(candidate)) ?? nearest(word, known);
  return verb === undefined ? undefined : `${title} ${verb}`;
}

const mostWords = 3;

/** What a table says of the start of a line, and how many words that start has; the longest counts. */
export function longest(
  table: ReadonlyMap<string, string>,
  line: readonly string[],
): { readonly text: string; readonly words: number } | undefined {
  for (let words = Math.min(mostWords, line.length); words > 0; words -= 1) {
    const text = table.get(line.slice(0, words).join(" "));
    if (text !== undefined) return { text, words };
  }
  return undefined;
}

/** `device-list` as the words `device` and `list`. */
export function splitWord(word: string, nouns: readonly string[]): readonly string[] | undefined {
  const text = word.replace(/^access-management-/, "access-");
  const noun = nouns.find((name) => text.startsWith(`${name}-`));
  return noun === undefined ? undefined : [noun, ...text.slice(noun.length + 1).split("-")];
}

/** A verb where a noun belongs. */
export function isVerb(word: string): boolean {
  return verbs.has(word) || [...verbs.values()].flat().includes(word);
}

/** The flag that is meant by an unknown one; never one that says the opposite. */
export function guessFlag(flag: string, known: readonly string[]): string | undefined {
  const meant = [...(flag.startsWith("--no-") ? offFlags(flag.slice(5)) : []), ...(flags.get(flag) ?? [])];
  const found = meant.find((candidate) => known.includes(candidate));
  // One letter is near to everything.
  if (found !== undefined || !flag.startsWith("--")) return found;
  return nearest(
    flag,
    known.filter((candidate) => !isOpposite(flag, candidate)),
  );
}

/** The flags that may turn off what `--name` turns on. */
export function offFlags(name: string): readonly string[] {
  return [`--no-${name}`, ...(opposites.get(`--${name}`) ?? [])];
}

const off = /^--(no-|in|un|dis)/;

function isOpposite(one: string, other: string): boolean {
  if (off.test(one) === off.test(other)) return false;
  const [a, b] = [one, other].map((flag) => flag.replace(off, "--").slice(0, 6));
  return a === b;
}
