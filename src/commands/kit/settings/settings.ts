import { parseCount, parseDuration, quote } from "../command/values.ts";
import { usageError } from "../failures/command-error.ts";
import { type GlobalOption, type SettingSpec, table } from "./table.ts";

function settingsIn(row: GlobalOption): readonly SettingSpec[] {
  const { choices, value, inProject } = row;
  if (inProject === undefined) return [];
  const kind = choices === undefined ? (row.kind ?? (value === undefined ? "switch" : "text")) : "choice";
  return [{ ...row, kind, default: kind === "switch" ? "false" : row.default, inProject, ...row.setting }];
}

/** People see these first, in this order; all others follow as they are in the table. */
const first = ["env", "output", "profile", "color", "time", "tz", "accessible", "ascii", "no-input", "debug", "pager"];
const place = ({ name }: SettingSpec): number => (first.includes(name) ? first.indexOf(name) : first.length);

export const settingSpecs = table.flatMap(settingsIn).sort((one, other) => place(one) - place(other));

export function findSetting(name: string): SettingSpec | undefined {
  return settingSpecs.find((spec) => spec.name === name);
}

/** A switch in a variable or file: 1, true, yes, on; 0, false, no, off and empty mean off. */
export function switchOf(text: string): boolean | undefined {
  if (/^(1|true|yes|on)$/i.test(text)) return true;
  return /^(0|false|no|off|)$/i.test(text) ? false : undefined;
}

/** Rejects a value the setting cannot have; `place` says where it is set. */
export function checkSetting(spec: SettingSpec, value: string, place: string): string {
  const wrong = (why: string) =>
    usageError(`Invalid value ${quote(value)} for ${place}.`, { code: "usage.invalid_value", why });
  switch (spec.kind) {
    case "choice":
      if (spec.choices?.includes(value) !== true) throw wrong(`The values are ${spec.choices?.join(", ")}.`);
      break;
    case "switch":
      if (switchOf(value) === undefined) throw wrong("Use true or false.");
      break;
    case "integer":
      parseCount(value, place, spec.least);
      break;
    case "duration":
      parseDuration(value, place);
      break;
    case "text":
      if (value === "") throw wrong("It must not be empty.");
  }
  return value;
}
