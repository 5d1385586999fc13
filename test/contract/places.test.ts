import { readdirSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { resourceRoutes } from "../../src/commands/kit/resource/routes.ts";
import { leaves } from "../helpers/leaves.ts";
import { readSources, root } from "./imports.ts";

const folder = join(root, "src", "commands");

/** The files of the nouns, without the lists of their commands, and what each exports. */
const files = await Promise.all(
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => name.split(sep).join("/"))
    .filter((name) => name.endsWith(".ts") && basename(name) !== "index.ts")
    .filter((name) => !["registry.ts", "kit", "program"].includes(name.split("/")[0] ?? ""))
    .map(async (name) => {
      const exported: object = await import(join(folder, name));
      return { name, exported: new Set<unknown>(Object.values(exported).flat()) };
    }),
);

const rows = ["list", "get", "create", "update", "delete"];

/** The words of a file are the first words of its commands; the rows of a thing stand in `<thing>/<thing>.ts`. */
function isPlaceOf(name: string, words: readonly string[]): boolean {
  const path = name.replace(/\.ts$/, "").split("/");
  const isRows = path.length > 1 && path.at(-1) === path.at(-2);
  if (isRows) path.pop();
  const [next, ...others] = words.slice(path.length);
  const fits = !isRows || next === undefined || (rows.includes(next) && others.length === 0);
  return fits && path.every((word, i) => word === words[i]);
}

it("defines each command in the file of its words", () => {
  const lost = leaves.flatMap(({ title, words, command }) => {
    const places = files.filter(({ exported }) => exported.has(command)).map(({ name }) => name);
    const isFound = places.length > 0 && places.every((name) => isPlaceOf(name, words));
    return isFound ? [] : [`${title} is in ${places.join(", ") || "no file of its own"}`];
  });
  expect(lost).toEqual([]);
});

it("keeps a noun in one file or in one folder", () => {
  const nouns = files.map(({ name }) => name.split("/")[0] ?? "");
  expect(nouns.filter((noun) => noun.endsWith(".ts") && nouns.includes(noun.replace(/\.ts$/, "")))).toEqual([]);
});

it.each([
  ["billing/schedule.ts", "billing schedule update"],
  ["billing/billing.ts", "billing list"],
  ["doctor/doctor.ts", "doctor"],
  ["run/user/user.ts", "run user get"],
  ["env.ts", "env use"],
])("takes %s for the place of iot %s", (name, words) => {
  expect(isPlaceOf(name, words.split(" "))).toBe(true);
});

it.each([
  ["billing/state.ts", "billing schedule"],
  ["billing/billing.ts", "billing schedule"],
  ["billing/schedule/update.ts", "billing schedule"],
  ["run/run.ts", "run user get"],
  ["env.ts", "config get"],
])("does not take %s for the place of iot %s", (name, words) => {
  expect(isPlaceOf(name, words.split(" "))).toBe(false);
});

describe("the routes of resources", () => {
  const routes: readonly string[] = Object.values(resourceRoutes);

  it("are those that the library lists them by", () => {
    const library = readSources().filter(({ name }) => name.startsWith("lib/resources/"));
    const isListed = (route: string) => library.some(({ text }) => new RegExp(`get\\("${route}/?"`).test(text));
    expect(routes.filter((route) => !isListed(route))).toEqual([]);
  });

  it("are written once in the commands", () => {
    const again = readSources()
      .filter(({ name }) => name.startsWith("commands/") && name !== "commands/kit/resource/routes.ts")
      .flatMap(({ name, text }) =>
        [...text.matchAll(/\b(?:route|path): "([^"]+)"/g)].flatMap(([, route = ""]) =>
          routes.includes(route) ? [`${name}: ${route}`] : [],
        ),
      );
    expect(again).toEqual([]);
  });
});
