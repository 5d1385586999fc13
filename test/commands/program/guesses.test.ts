import { describe, expect, it } from "vitest";
import { sharedOptionsOf } from "../../../src/commands/kit/command/shared-options.ts";
import { nearest } from "../../../src/commands/kit/failures/nearest.ts";
import { foreignNouns, lines } from "../../../src/commands/program/foreign-lines.ts";
import { absent, flags, moved, verbs } from "../../../src/commands/program/guesses.ts";
import { otherNames } from "../../../src/commands/program/help/top-help.ts";
import { find } from "../../../src/commands/program/program.ts";
import { findNoun } from "../../../src/commands/registry.ts";
import { runHere } from "../../helpers/in-process.ts";
import { leaves } from "../../helpers/leaves.ts";

async function nextOf(line: readonly string[]): Promise<string> {
  const { code, stderr } = await runHere(line);
  expect({ line, code }).toEqual({ line, code: 2 });
  return /\n {2}next: (.*)\n$/.exec(stderr)?.[1] ?? "";
}

describe("a word that is no command", () => {
  it.each([
    ["login", "auth login"],
    ["logout", "auth logout"],
    ["whoami", "auth whoami"],
    ["list-env", "env list"],
    ["set-env", "env use"],
    ["deploy", "analysis deploy"],
    ["trigger", "analysis run"],
    ["at", "analysis run"],
    ["ac", "analysis console"],
    ["ad", "analysis duplicate"],
    ["analysis-deploy", "analysis deploy"],
    ["analysis-run", "analysis dev"],
    ["analysis-trigger", "analysis run"],
    ["analysis-console", "analysis console"],
    ["analysis-set-mode", "analysis mode"],
    ["dl", "device list"],
    ["info", "device get"],
    ["inspect", "device inspect"],
    ["data", "device data list"],
    ["bkp", "device data backup"],
    ["nc", "device update"],
    ["device-list", "device list"],
    ["device-info", "device get"],
    ["device-edit", "device update"],
    ["device-network", "device update"],
    ["device-backup", "device data backup"],
    ["device-copy", "device copy"],
    ["copy-data", "device copy"],
    ["device-type", "device convert"],
    ["export", "profile export"],
    ["app-export", "profile export"],
    ["entity-list", "entity list"],
    ["access-management-edit", "access update"],
    ["run-user-create", "run user create"],
    ["files-upload", "file upload"],
    ["secret-delete", "secret delete"],
    ["sql-list", "sql list"],
  ])("%s of the official program leads to iot %s", async (word, line) => {
    expect(await nextOf([word])).toBe(`Run "iot ${line}".`);
    expect((await runHere([...line.split(" "), "--help"])).stdout).toContain(`\n  iot ${line} `);
  });

  it.each([
    ["device-inspector", 'Did you mean "iot device inspect"?'],
    ["files-rename", 'Did you mean "iot file move"?'],
    ["device-param", 'Run "iot device param --help".'],
    ["self data", 'Run "iot device data list self".'],
    ["self info", 'Run "iot device get self".'],
    ["version", 'Run "iot --version".'],
    ["list", 'Name the noun first, as in "iot device list".'],
    ["srevice", 'Did you mean "iot service" or "iot device"?'],
    ["constructor", 'Did you mean "iot connector"?'],
    ["qqqqqqqq", 'Run "iot --help".'],
  ])("%s is answered with: %s", async (word, next) => {
    expect(await nextOf(word.split(" "))).toBe(next);
  });

  it.each([...absent.keys()])("%s has no equal, and says so", async (word) => {
    const { stderr } = await runHere([word]);
    expect(stderr).toContain("why: Nothing here does the same.");
  });
});

describe("the tables of guesses", () => {
  const titles = new Set(leaves.map(({ title }) => title));

  it("lead to commands that exist, from words that are none", () => {
    const named = [...absent.values()].flatMap((text) =>
      [...text.matchAll(/"(iot [a-z ]+)"/g)].map(([, line]) => line),
    );
    expect([...moved.values(), ...named].filter((line) => !titles.has(line ?? ""))).toEqual([]);
    const own = (word: string): boolean => titles.has(`iot ${word}`) || findNoun(word) !== undefined;
    const meant = [...lines.values()].filter((line) => !line.startsWith("--") && !line.startsWith("help"));
    expect(meant.filter((line) => !own(line))).toEqual([]);
    const starts = [...foreignNouns.values()].filter(
      (noun) => findNoun(noun) === undefined && ![...titles].some((title) => title.startsWith(`iot ${noun} `)),
    );
    expect(starts).toEqual([]);
    const words = [...lines.keys(), ...foreignNouns.keys(), ...absent.keys()];
    expect(words.filter((word) => findNoun(word) !== undefined)).toEqual([]);
    expect([...moved.keys()].filter((line) => titles.has(line))).toEqual([]);
  });

  it("are joined in the help by names of what there is", async () => {
    for (const [, words] of otherNames) {
      const { noun, unknown, path } = await find(words.split(" "));
      expect({ words, found: [noun?.name, ...path].join(" "), unknown }).toEqual({ words, found: words });
    }
    const { stdout } = await runHere(["--help"]);
    const [lines = ""] = /Other names:\n([\s\S]*?)\n\n/.exec(stdout)?.slice(1) ?? [];
    expect(lines.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(lines).toContain("portal users: run user");
  });

  it("offer verbs and flags that some command has", () => {
    const words = new Set(leaves.flatMap(({ words: own }) => own));
    expect([...verbs.values()].flat().filter((verb) => !words.has(verb))).toEqual([]);
    const known = leaves.flatMap(({ command }) => [...sharedOptionsOf(command), ...(command.options ?? [])]);
    const names = new Set(known.map(({ name }) => `--${name}`));
    expect([...flags.values()].flat().filter((flag) => !names.has(flag))).toEqual([]);
  });
});

describe("a word that is no verb of the noun", () => {
  it.each([
    ["device add", "device create"],
    ["device remove", "device delete"],
    ["device show", "device get"],
    ["device find", "device list"],
    ["device set", "device update"],
    ["device logs", "device inspect"],
    ["analysis log", "analysis console"],
    ["device data watch", "device watch"],
    ["config remove", "config unset"],
    ["portal user create", "run user create"],
    ["portal domain", "run domain"],
    ["portal sso", "run saml"],
    ["run notification list", "portal notification list"],
  ])("iot %s leads to iot %s", async (line, meant) => {
    expect(await nextOf(line.split(" "))).toBe(`Did you mean "iot ${meant}"?`);
  });
});

describe("a flag that is unknown", () => {
  it.each([
    ["device update x --no-active", 'Did you mean "--inactive"?'],
    ["secret create --name x", 'Did you mean "--key"?'],
    ["device data list x --since -1h", 'Did you mean "--from"?'],
    ["device list --ofline-for 7d", 'Did you mean "--offline-for"?'],
    ["device inspect x --tag site=plant", 'Run "iot device inspect --help".'],
    ["device list --core x", 'Run "iot device list --help".'],
    ["device update x --active=false", 'Write "--active" or "--inactive".'],
    ["device list --no-color=never", 'Write "--no-color" alone.'],
    ["device create Pump", 'Did you mean --name "Pump"?'],
  ])("iot %s is answered with: %s", async (line, next) => {
    expect(await nextOf(line.split(" "))).toBe(next);
  });

  it("is not mistaken for its opposite", async () => {
    expect(await nextOf(["device", "list", "--no-activ"])).not.toContain('"--active"');
    expect(await nextOf(["sandbox", "status", "--inactive"])).not.toContain('"--active"');
  });
});

describe("the nearest word", () => {
  it("is one edit away at most when the word is short", () => {
    expect(nearest("--tag", ["--tz", "--tags"])).toBe("--tags");
    expect(nearest("--tag", ["--tz"])).toBeUndefined();
    expect(nearest("lst", ["list", "set"])).toBe("list");
    expect(nearest("outptu", ["output"])).toBe("output");
  });
});
