import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Column } from "../../src/commands/kit/command/columns.ts";
import type { ResultSpec } from "../../src/commands/kit/command/result.ts";
import { type DeafProxy, deafProxy } from "../helpers/deaf-proxy.ts";
import { firstPlain, type Leaf, leaves } from "../helpers/leaves.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { firstOfEach, tierOf } from "../helpers/tiers.ts";

/**
 * The platform ignores a filter it does not know and returns every row. Piped into a command that deletes, these are all
 * devices: so no list relies on it.
 */

let here: SandboxUnderTest;
/** In front of the sandbox: a platform that ignores every filter. */
let deaf: DeafProxy;
beforeAll(async () => {
  here = await sandboxUnderTest();
  deaf = await deafProxy(here.sandbox.url);
});
afterAll(async () => {
  await deaf.close();
  await here.close();
});

type Row = Readonly<Record<string, unknown>>;
type AnyColumn = Column<never>;

function columnsOf(result: ResultSpec | undefined): readonly AnyColumn[] {
  if (result?.shape === "list") return result.columns;
  return result?.shape === "either" ? result.of.flatMap(columnsOf) : [];
}

/** Records are selected with --variable, --from and so on; rows of an entity by the fields of its indexes. */
const others = new Set(["iot device data list", "iot entity data list"]);
const withList = leaves.filter(({ command }) => command.groups?.includes("list"));
const lists = withList.filter(({ title }) => !others.has(title));

/** These take several requests each time. */
const slow = /^iot (widget list|network devices)$/;
/** Lists share how they filter and sort: one for each kind of field is among the quick tests. */
const quick = firstOfEach(
  lists.filter(({ title }) => !slow.test(title)),
  ({ command }) => columnsOf(command.result).map(({ kind = "text" }) => kind),
);
const listTierOf = (leaf: Leaf): ReturnType<typeof tierOf> => tierOf(leaf, quick);

/** The words of the first example, without flags that select. */
const wordsOf = (leaf: Leaf): readonly string[] =>
  (firstPlain(leaf)?.words ?? leaf.words).filter((word, i, all) => word !== "--limit" && all[i - 1] !== "--limit");

const nonsense: Readonly<Record<string, readonly string[]>> = {
  flag: ["=flase", "=*", "!=yes", "<true"],
  number: ["=big", "!=1O", ">1*"],
  time: ["=soon", "!=2026-02-30", "<someday", "=-24h"],
};

interface Outcome {
  readonly line: string;
  readonly code: number;
  readonly stdout: string;
}

/** The lines that do not end with exit code 2, nothing on stdout and the name of what is wrong. */
async function accepted(leaf: Leaf, cases: readonly (readonly [flags: readonly string[], said: string])[]) {
  const found: Outcome[] = [];
  for (const [flags, said] of cases) {
    const { code, stdout, stderr } = await here.iot([...wordsOf(leaf), ...flags]);
    const isRight = code === 2 && stdout === "" && stderr.includes(said) && stderr.includes("next: ");
    if (!isRight) found.push({ line: `${leaf.title} ${flags.join(" ")}`, code, stdout: stdout + stderr });
  }
  return found;
}

describe("a filter or an order that is wrong ends with 2 before anything is sent", () => {
  for (const leaf of lists)
    it(leaf.title, listTierOf(leaf), async () => {
      const columns = columnsOf(leaf.command.result);
      const wrongValues = columns.flatMap(({ key, kind = "" }) =>
        (nonsense[kind] ?? []).map((value) => [["--filter", key + value], key] as const),
      );
      const wrongNames = ["nosuch=1", "nosuch!=1", "name.nosuch=1", "tags=x", "id=1 or nosuch=1"].map(
        (text) => [["--filter", text], "in --filter"] as const,
      );
      const hasTags = columns.some(({ kind }) => kind === "tags");
      const before = here.requests().length;
      const wrong = await accepted(leaf, [
        ...wrongNames,
        ...wrongValues,
        [["--sort", "nosuch"], "in --sort"],
        [["--sort", "tags:desc"], "in --sort"],
        [["--sort", "id:down"], "sort"],
        ...(hasTags
          ? []
          : ([
              [["--filter", "tags.site=x"], "in --filter"],
              [["--tag", "site=x"], "--tag"],
            ] as const)),
      ]);
      expect(wrong).toEqual([]);
      expect(here.requests().slice(before)).toEqual([]);
    });

  it("iot entity data list, whose fields the entity has", async () => {
    const [leaf] = withList.filter(({ title }) => title === "iot entity data list");
    const before = here.requests().length;
    const wrong = await accepted(leaf as Leaf, [
      [["--filter", "nosuch=1"], "nosuch"],
      [["--filter", "opened=soon"], "opened"],
      [["--filter", "opened=2026-01-01..soon"], "opened"],
      [["--filter", "area=big"], "area"],
      [["--filter", "created_at=never"], "created_at"],
      [["--sort", "nosuch"], "nosuch"],
      [["--tag", "site=x"], "tags"],
    ]);
    expect(wrong).toEqual([]);
    expect(
      here
        .requests()
        .slice(before)
        .filter((line) => /\/data/.test(line)),
    ).toEqual([]);
  });

  it("iot device data list, which has no such filter", async () => {
    const [leaf] = leaves.filter(({ title }) => title === "iot device data list");
    expect(
      await accepted(leaf as Leaf, [
        [["--filter", "nosuch=1"], "--filter"],
        [["--tag", "site=x"], "--tag"],
      ]),
    ).toEqual([]);
    const order = await here.iot([...wordsOf(leaf as Leaf), "--sort", "nosuch"]);
    expect(order).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("It takes time, time:asc, time:desc."),
    });
  });

  it.each([
    ["--where", "actve=false"],
    ["--where", "active=flase"],
    ["--where", "created_at=soon"],
    ["--where", "chunk_retention=many"],
    ["--where", "tags=plant"],
  ])("iot device update and delete %s %s", async (...flags) => {
    const before = here.requests().length;
    for (const words of [
      ["device", "update", "--inactive"],
      ["device", "delete"],
      ["device", "param", "set", "interval=1"],
      ["device", "token", "create"],
    ]) {
      const { code, stdout } = await here.iot([...words, ...flags, "--yes"]);
      expect({ words, code, stdout }).toEqual({ words, code: 2, stdout: "" });
    }
    expect(here.requests().slice(before)).toEqual([]);
  });
});

/** A value that no row has. */
const nowhere: Readonly<Record<string, string>> = { number: "987654321", time: "1999-01-01", id: "f".repeat(24) };

const isEqual = (value: unknown, wanted: string): boolean =>
  typeof value !== "object" && String(value).toLowerCase() === wanted.toLowerCase();

const idOf = (row: Row): unknown => row["id"] ?? row["token"] ?? row["filename"];

type Expectation = readonly [filter: string, ids: readonly unknown[]];

/** Every field a list offers, with a value that some row has; the rows, and those that must be left. */
function expectations(columns: readonly AnyColumn[], rows: readonly Row[]) {
  return columns.flatMap(({ key, kind = "" }): readonly Expectation[] => {
    if (kind === "tags") return tagExpectations(rows);
    const none = kind === "flag" ? [] : ([[`${key}=${nowhere[kind] ?? "zz nothing zz"}`, []]] as const);
    if (kind === "json") return none;
    const values = rows.map((row) => row[key]).filter((value) => value !== null && typeof value !== "object");
    const [value] = values.map(String).filter((text) => text !== "" && !/[*\n]/.test(text));
    if (value === undefined || value === "never") return none;
    const left = rows.filter((row) => isEqual(row[key], value)).map(idOf);
    const rest = rows.filter((row) => !isEqual(row[key], value)).map(idOf);
    return [...none, [`${key}=${value}`, left], [`${key}!=${value}`, rest]];
  });
}

type Tag = { readonly key: string; readonly value: string };
const tagsOf = (row: Row): readonly Tag[] => (row["tags"] ?? []) as readonly Tag[];

function tagExpectations(rows: readonly Row[]) {
  const [tag = { key: "nosuch", value: "1" }] = rows.flatMap(tagsOf);
  const has = (row: Row): boolean =>
    tagsOf(row).some(({ key, value }) => isEqual(key, tag.key) && isEqual(value, tag.value));
  return [
    [`tags.${tag.key}=${tag.value}`, rows.filter(has).map(idOf)],
    [`tags.${tag.key}!=${tag.value}`, rows.filter((row) => !has(row)).map(idOf)],
    [`tags.${tag.key}=zz nothing zz`, []],
    [`tags.zz-nosuch=*`, []],
  ] as const;
}

/** Rows of a list, with every field it offers. */
async function rowsOf(leaf: Leaf, flags: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const columns = columnsOf(leaf.command.result);
  const fields = columns.map(({ key }) => key);
  // A secret is compared only where it is shown.
  const reveal = columns.some(({ kind }) => kind === "secret") ? ["--reveal"] : [];
  return here.json<readonly Row[]>([...wordsOf(leaf), "--all", "--fields", fields.join(","), ...reveal, ...flags], {
    env,
  });
}

/** What each filter leaves where it differs from what it must leave. */
async function differences(leaf: Leaf, env: Readonly<Record<string, string>> = {}) {
  const wrong: object[] = [];
  for (const [filter, ids] of expectations(columnsOf(leaf.command.result), await rowsOf(leaf, []))) {
    const found = (await rowsOf(leaf, ["--filter", filter], env)).map(idOf);
    if (JSON.stringify(found) !== JSON.stringify(ids)) wrong.push({ filter, found, ids });
  }
  return wrong;
}

describe("each field of a list really filters", () => {
  for (const leaf of lists) it(leaf.title, listTierOf(leaf), async () => expect(await differences(leaf)).toEqual([]));
});

describe("where the platform ignores every filter", () => {
  const elsewhere = (): { readonly IOT_API_URL: string } => ({ IOT_API_URL: deaf.url });
  for (const leaf of lists)
    it(`${leaf.title} prints the same rows`, leaf === lists[0] ? {} : { tags: ["slow"] }, async () =>
      expect(await differences(leaf, elsewhere())).toEqual([]),
    );

  it.each([
    "device list --tag device_type=freezer",
    "device list --tag site=plant --limit 1",
    "device list --tag site=plant --limit 1 --page 2",
    "device list --name Silo* --active",
    "device list --network name:HTTPS",
    "analysis list --run-on external",
    "action list --type condition",
    "run user list --email *@example.test --inactive",
    "network list --own",
    "connector list --catalogue",
    "dictionary list --slug test",
    "service-auth list --name LoRaWAN*",
    "notification list --unread",
    "dashboard list --tag type=zz",
    "entity data list name:sites --filter city=Bergen --filter state=open --limit 999",
    "entity data list name:sites --filter name=Site* --limit 999",
    "entity data export name:sites --filter city=Oslo --filter state=open --format json",
    "device export --tag device_type=freezer --format json",
    "run user export --tag role=operator --format json",
    "fleet --tag device_type=freezer --all",
    "device get tag:device_type=truck",
    "device update --tag device_type=freezer --inactive --dry-run",
    "device delete --tag device_type=freezer --where tags.site!=road --dry-run",
    "device param set --tag device_type=freezer interval=1 --dry-run",
    "dashboard export --tag type=zz --out -",
  ])("iot %s is about the same as elsewhere", async (line) => {
    const words = [...line.split(" "), "--json"];
    const { stdout } = await here.iot(words);
    const { code, stdout: deafStdout } = await here.iot(words, { env: elsewhere() });
    expect({ code, stdout: deafStdout }).toEqual({ code: 0, stdout });
  });
});

/** Fields by which the rows are in the same order up and down: those of a platform that ignores the order. */
async function unsorted(leaf: Leaf): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { key, kind } of columnsOf(leaf.command.result)) {
    if (kind === "tags" || kind === "json") continue;
    const values = async (order: string): Promise<readonly unknown[]> =>
      (await rowsOf(leaf, ["--sort", order]))
        .map((row) => row[key] ?? "")
        .filter((value) => value !== "" && value !== "never");
    const [up, down] = [await values(key), await values(`${key}:desc`)];
    if (JSON.stringify(up.toReversed()) !== JSON.stringify(down)) found.push(key);
  }
  return found;
}

describe("each field of a list really sorts", () => {
  for (const leaf of lists) it(leaf.title, listTierOf(leaf), async () => expect(await unsorted(leaf)).toEqual([]));
});

describe("tags.KEY", () => {
  const tagged = lists.filter(({ command }) => columnsOf(command.result).some(({ kind }) => kind === "tags"));

  for (const leaf of tagged)
    it(`is a field and an order of ${leaf.title}`, listTierOf(leaf), async () => {
      const rows = await here.json<readonly Row[]>([...wordsOf(leaf), "--all", "--fields", "id,tags"]);
      const [{ key } = { key: "nosuch" }] = rows.flatMap(tagsOf);
      const tagOf = (row: Row): string | null => tagsOf(row).find((tag) => tag.key === key)?.value ?? null;
      const words = [...wordsOf(leaf), "--all", "--fields", `id,tags.${key}`];
      expect(await here.json(words)).toEqual(rows.map((row) => ({ id: row["id"], tags: { [key]: tagOf(row) } })));
      const { stdout } = await here.iot([...words, "--sort", `tags.${key}:desc`, "-o", "csv"]);
      const values = rows.map(tagOf).filter((value) => value !== null);
      const inOrder = values.sort((a, b) => b.localeCompare(a, "en", { sensitivity: "base" }));
      const [head, ...cells] = stdout.trimEnd().split(/\r?\n/);
      expect(head).toBe(`id,tags.${key}`);
      expect(cells.map((line) => line.slice(line.indexOf(",") + 1)).filter((cell) => cell !== "")).toEqual(inOrder);
      expect(cells).toHaveLength(rows.length);
    });
});
