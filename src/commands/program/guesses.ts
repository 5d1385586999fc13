import { nearest } from "../kit/failures/nearest.ts";

/** Words people type for a verb, and the words used here, the likeliest first. */
export const verbs = new Map<string, readonly string[]>(
  Object.entries({
    add: ["create", "set"],
    clear: ["empty"],
    clone: ["duplicate", "copy"],
    copy: ["duplicate"],
    describe: ["get", "show"],
    download: ["export", "pull", "get"],
    duplicate: ["copy"],
    edit: ["update", "set"],
    find: ["list"],
    follow: ["watch", "console"],
    info: ["get", "show", "current"],
    inspector: ["inspect"],
    log: ["console", "inspect", "logs", "audit"],
    logs: ["console", "inspect", "audit"],
    modify: ["update", "set"],
    new: ["create", "add"],
    publish: ["deploy", "apply"],
    push: ["deploy", "apply", "upload"],
    remove: ["delete", "unset"],
    rename: ["move", "update"],
    rm: ["delete", "remove", "unset"],
    search: ["list"],
    set: ["update"],
    show: ["get", "status", "current"],
    start: ["run"],
    tail: ["watch", "console", "logs"],
    trigger: ["run"],
    upload: ["import", "deploy", "set"],
    view: ["get", "show"],
  }),
);

/** Command lines whose last word is elsewhere. */
export const moved = new Map<string, string>(
  Object.entries({
    "iot device data watch": "iot device watch",
    "iot device data inspect": "iot device inspect",
  }),
);

/** Words after `iot` that are no noun: guessed ones, and commands of the official program that are named differently. */
export const lines = new Map<string, string>(
  Object.entries({
    login: "auth login",
    logout: "auth logout",
    whoami: "auth whoami",
    version: "--version",
    "list-env": "env list",
    "set-env": "env use",
    deploy: "analysis deploy",
    trigger: "analysis run",
    "analysis-run": "analysis dev",
    "analysis-trigger": "analysis run",
    at: "analysis run",
    "analysis-console": "analysis console",
    ac: "analysis console",
    ad: "analysis duplicate",
    "analysis-set-mode": "analysis mode",
    dl: "device list",
    info: "device get",
    inspect: "device inspect",
    data: "device data list",
    param: "device param list",
    bkp: "device data backup",
    "device-backup": "device data backup",
    "device-bkp": "device data backup",
    "copy-data": "device copy",
    "device-type": "device convert",
    "device-network": "device update",
    nc: "device update",
    "copy-dashboard": "dashboard copy",
    export: "profile export",
    "app-export": "profile export",
  }),
);

/** Commands of the official program that have no equal here, and what there is instead. */
export const absent = new Map<string, string>(
  Object.entries({
    "copy-tab": 'Single tabs are not copied; "iot dashboard duplicate" copies a dashboard.',
    "entity-copy": 'Use "iot entity schema", "iot entity data export" and "iot entity data import".',
  }),
);

/** Nouns that are gone, and what their commands became. */
export const replaced = new Map<string, string>(
  Object.entries({
    self: 'Use self as the id of a device: "iot device get self", "iot device data list self", "iot device param list self".',
  }),
);

/** Flags people type, and the flags that may mean the same, the likeliest first. */
export const flags = new Map<string, readonly string[]>(
  Object.entries({
    "--end": ["--to"],
    "--environment": ["--env"],
    "--file": ["--input", "--from", "--out"],
    "--jobs": ["--concurrency"],
    "--force": ["--yes", "--confirm"],
    "--format": ["--output"],
    "--key": ["--name"],
    "--label": ["--name"],
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

/** The command line that is meant by a word after `iot`: `dl` is "iot device list". */
export function guessLine(word: string): string | undefined {
  const line = lines.get(word);
  return line === undefined ? undefined : `iot ${line}`;
}

/** What to do instead, for a command of the official program that has no equal here. */
export function insteadOf(word: string): string | undefined {
  return absent.get(word);
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
  return (
    meant.find((candidate) => known.includes(candidate)) ??
    nearest(
      flag,
      known.filter((candidate) => !isOpposite(flag, candidate)),
    )
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
