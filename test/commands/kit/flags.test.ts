import { describe, expect, expectTypeOf, it } from "vitest";
import { type Command, defineCommand } from "../../../src/commands/kit/command/define.ts";
import type { Input, OptionSpec, Options } from "../../../src/commands/kit/command/options.ts";
import { readOptions, withDefaults } from "../../../src/commands/kit/command/parse-options.ts";
import { allowedAfter, checkRules } from "../../../src/commands/kit/command/rules.ts";

const nowMs = Date.UTC(2026, 0, 31, 12);

/** What a flag that was given these texts is read as. */
async function readValue(spec: Omit<OptionSpec, "name" | "summary">, given: string | readonly string[]) {
  const readInput = async (place: string) => `content of ${place}`;
  const specs = [{ name: "some-flag", summary: "", ...spec }];
  return (await readOptions(specs, { someFlag: given }, { nowMs, readInput }))["someFlag"];
}

const failure = (spec: Omit<OptionSpec, "name" | "summary">, text: string): Promise<unknown> =>
  readValue(spec, text).then(
    () => "no failure",
    (error: unknown) => (error instanceof Error ? error.message : error),
  );

describe("the kind of a flag", () => {
  it.each<[Omit<OptionSpec, "name" | "summary">, string | readonly string[], unknown]>([
    [{ value: "text" }, "@a", "@a"],
    [{ kind: "content" }, "a", "a"],
    [{ kind: "content" }, "@a", "content of @a"],
    [{ kind: "integer" }, "7", 7],
    [{ kind: "integer", least: 0 }, "0", 0],
    [{ kind: "number" }, "-0.5", -0.5],
    [{ kind: "duration" }, "1h30m", 5_400_000],
    [{ kind: "rate" }, "6/m", 10_000],
    [{ kind: "instant" }, "-24h", new Date(nowMs - 86_400_000)],
    [{ kind: "expiry" }, "30d", "2026-03-02T12:00:00.000Z"],
    [{ kind: "expiry" }, "never", "never"],
    [{ kind: "zone" }, "Europe/Lisbon", "Europe/Lisbon"],
    [{ kind: "email" }, "jo@example.test", "jo@example.test"],
    [{ kind: "phone" }, "+1 555-0100", "+1 555-0100"],
    [{ kind: "cron" }, "*/5 6-8 * JAN MON#1", "*/5 6-8 * JAN MON#1"],
    [{ kind: "interval" }, "5m", "5 minutes"],
    [{ kind: "interval" }, "1 month", "1 month"],
    [{ kind: "pair" }, "a=b=c", { key: "a", value: "b=c" }],
    [{ kind: "tag" }, "a", { key: "a" }],
    [{ kind: "json" }, "[1]", [1]],
    [
      { kind: "pair", repeat: true },
      ["a=1", "b=2"],
      [
        { key: "a", value: "1" },
        { key: "b", value: "2" },
      ],
    ],
  ])("%j reads %j", async (spec, text, value) => {
    expect(await readValue(spec, text)).toEqual(value);
  });

  it.each<[Omit<OptionSpec, "name" | "summary">, string, string]>([
    [{ kind: "integer" }, "0", '--some-flag needs a whole number of at least 1, not "0".'],
    [{ kind: "integer", most: 9 }, "10", "--some-flag must be at most 9."],
    [{ kind: "number" }, "much", '--some-flag needs a number, not "much".'],
    [{ kind: "duration" }, "5", 'Invalid --some-flag "5".'],
    [{ kind: "rate" }, "often", 'Invalid --some-flag "often".'],
    [{ kind: "instant" }, "soon", 'Invalid --some-flag "soon".'],
    [{ kind: "expiry" }, "yesterday", '--some-flag "yesterday" is not in the future.'],
    [{ kind: "phone" }, "abc", '--some-flag needs a phone number, not "abc".'],
    [{ kind: "phone" }, "0555 0100", '--some-flag needs a phone number, not "0555 0100".'],
    [{ kind: "cron" }, "0 25 * * *", 'Invalid --some-flag "0 25 * * *".'],
    [{ kind: "cron" }, "every day", 'Invalid --some-flag "every day".'],
    [{ kind: "interval" }, "every day", 'Invalid --some-flag "every day".'],
    [{ kind: "interval" }, "0m", 'Invalid --some-flag "0m".'],
    [{ kind: "zone" }, "Mars/Base", 'Unknown time zone "Mars/Base" for --some-flag.'],
    [{ kind: "email" }, "jo at example", '--some-flag needs an email address, not "jo at example".'],
    [{ kind: "pair" }, "a", '--some-flag needs key=value, not "a".'],
    [{ kind: "tag" }, "a=", '--some-flag "a=" has no value.'],
    [{ kind: "json" }, "{", "--some-flag does not hold valid JSON."],
  ])("%j rejects %j by the name of the flag", async (spec, text, message) => {
    expect(await failure(spec, text)).toBe(message);
  });

  it("leaves out what was not given, and reads a default like a value", async () => {
    const specs: Options = [
      { name: "for", kind: "duration", summary: "" },
      { name: "wait-for", kind: "duration", default: "2s", summary: "" },
      { name: "tag", kind: "pair", repeat: true, summary: "" },
      { name: "quick", summary: "" },
      { name: "watch", negatable: true, summary: "" },
      { name: "scripts", negatable: true, undecided: true, summary: "" },
    ];
    const around = { nowMs, readInput: async () => "" };
    const options = await readOptions(specs, withDefaults(specs, {}), around);
    expect(options).toEqual({ for: undefined, waitFor: 2_000, tag: [], quick: false, watch: true, scripts: undefined });
  });
});

const base = { path: ["look"], effect: "reads", summary: "Look", examples: [] } as const;

const rules = [
  { name: "follow", summary: "" },
  { name: "for", kind: "duration", summary: "", needs: ["follow", "wait"] },
  { name: "wait", summary: "" },
  { name: "since", kind: "instant", summary: "", conflicts: ["replay", "<id>"] },
  { name: "replay", value: "file", summary: "" },
  { name: "active", summary: "", opposite: "inactive" },
  { name: "inactive", summary: "" },
  { name: "entity", value: "id", repeat: true, summary: "", conflicts: { flags: ["no-entities"], why: "So it is." } },
  { name: "entities", negatable: true, summary: "" },
] as const satisfies Options;

const look = defineCommand({
  ...base,
  args: [{ name: "id", summary: "" }],
  options: rules,
  run: async () => undefined,
});

function refusal(given: Readonly<Record<string, string | boolean | readonly string[]>>, id?: string) {
  try {
    checkRules(look, given, { id });
    return undefined;
  } catch (error) {
    return error;
  }
}

describe("the rules of flags", () => {
  it.each([
    [{ since: "now", replay: "a" }, undefined, "--since and --replay cannot be used together."],
    [{ since: "now" }, "pump", "--since and <id> cannot be used together."],
    [{ active: true, inactive: true }, undefined, "--active and --inactive cannot be used together."],
    [{ entity: ["a"], entities: false }, undefined, "--entity and --no-entities cannot be used together."],
    [{ for: "1s" }, undefined, "--for needs --follow or --wait."],
  ])("reject %j beside %j", (given, id, message) => {
    expect(refusal(given, id)).toMatchObject({ message, exit: 2, next: expect.stringMatching(/^(Use|Add) /) });
  });

  it("say why, where the flag does", () => {
    expect(refusal({ entity: ["a"], entities: false })).toMatchObject({ why: "So it is.", next: "Use one of them." });
  });

  it.each([
    { for: "1s", wait: true },
    { since: "now" },
    { entity: [], entities: false },
    { entity: ["a"], entities: true },
  ])("allow %j", (given) => {
    expect(refusal(given)).toBeUndefined();
  });

  it("leave out of completion what the line excludes, opposite switches as well", () => {
    const offered = (...given: string[]) => allowedAfter(rules, (name) => given.includes(name)).map(({ name }) => name);
    expect(offered("replay")).not.toContain("since");
    expect(offered("active")).not.toContain("inactive");
    expect(offered("inactive")).not.toContain("active");
    expect(offered("entity")).not.toContain("entities");
    expect(offered()).toHaveLength(rules.length);
  });
});

describe("what a command reads", () => {
  it("has the types of its flags and arguments, and no other names", () => {
    const group = [
      { name: "dry", summary: "" },
      { name: "max-rows", kind: "integer", summary: "" },
    ] as const satisfies Options;
    const count = ({ options }: Input<[], typeof group>): number => options.maxRows ?? 0;
    const command: Command = defineCommand({
      ...base,
      args: [
        { name: "id", summary: "", required: true },
        { name: "other", summary: "" },
        { name: "rest", summary: "", variadic: true },
      ],
      options: [
        ...group,
        { name: "for", kind: "duration", summary: "" },
        { name: "from", kind: "instant", summary: "" },
        { name: "tag", kind: "pair", repeat: true, summary: "" },
        { name: "order", value: "order", choices: ["asc", "desc"], summary: "" },
        { name: "run-on", value: "place", choices: ["tago", "external"], default: "tago", summary: "" },
        { name: "name", value: "text", summary: "" },
        { name: "setup", kind: "json", summary: "" },
        { name: "scripts", negatable: true, undecided: true, summary: "" },
      ],
      async run(_ctx, input) {
        const { args, options } = input;
        expectTypeOf(args.id).toEqualTypeOf<string>();
        expectTypeOf(args.other).toEqualTypeOf<string | undefined>();
        expectTypeOf(args.rest).toEqualTypeOf<readonly string[]>();
        expectTypeOf(options.for).toEqualTypeOf<number | undefined>();
        expectTypeOf(options.from).toEqualTypeOf<Date | undefined>();
        expectTypeOf(options.tag).toEqualTypeOf<readonly { readonly key: string; readonly value: string }[]>();
        expectTypeOf(options.order).toEqualTypeOf<"asc" | "desc" | undefined>();
        expectTypeOf(options.runOn).toEqualTypeOf<"tago" | "external">();
        expectTypeOf(options.name).toEqualTypeOf<string | undefined>();
        expectTypeOf(options.setup).toEqualTypeOf<unknown>();
        expectTypeOf(options.dry).toEqualTypeOf<boolean>();
        expectTypeOf(options.scripts).toEqualTypeOf<boolean | undefined>();
        expectTypeOf(count(input)).toEqualTypeOf<number>();
        // @ts-expect-error a name that is not declared
        options.fro;
        // @ts-expect-error the name of the command line instead of the property
        options["run-on"];
        // @ts-expect-error an argument that is not declared
        args.ids;
      },
    });
    expect(command.options?.map(({ name, value }) => [name, value])).toContainEqual(["for", "duration"]);
  });
});
