import { usageError } from "../failures/command-error.ts";
import type { CommandInput } from "./define.ts";
import { camelCase, parseCount } from "./values.ts";

/** One text argument. The parser has seen to it that a required one is there. */
export function argument(input: CommandInput, name: string): string | undefined {
  const value = input.args[name];
  return typeof value === "string" ? value : undefined;
}

/** All texts of a variadic argument. */
export function argumentList(input: CommandInput, name: string): readonly string[] {
  const value = input.args[name];
  if (value === undefined) return [];
  return typeof value === "string" ? [value] : value;
}

/** The text of a flag: of one whose kind is no text, as it was typed. */
function textOf({ options, texts }: CommandInput, name: string): unknown {
  const [value, text] = [options[camelCase(name)], texts?.[camelCase(name)]];
  const isText = typeof value === "string" || typeof value === "boolean";
  return isText || (Array.isArray(value) && value.every((one) => typeof one === "string")) ? value : (text ?? value);
}

/** Value of a flag that takes one. */
export function option(input: CommandInput, name: string): string | undefined {
  const value = textOf(input, name);
  return typeof value === "string" ? value : undefined;
}

/** Values of a flag that may be repeated. */
export function optionList(input: CommandInput, name: string): readonly string[] {
  const value = textOf(input, name);
  if (Array.isArray(value)) return value.filter((one) => typeof one === "string");
  return typeof value === "string" ? [value] : [];
}

/** Whether a switch was given. */
export function optionFlag(input: CommandInput, name: string): boolean {
  return input.options[camelCase(name)] === true;
}

/** Value of a flag that takes a whole number from `least` on. */
export function optionNumber(input: CommandInput, name: string, least = 0): number | undefined {
  const text = option(input, name);
  return text === undefined ? undefined : parseCount(text, `--${name}`, least);
}

/** Two switches that say opposite things: true, false, or neither. */
export function optionPair(input: CommandInput, on: string, off: string): boolean | undefined {
  const isOn = optionFlag(input, on);
  const isOff = optionFlag(input, off);
  if (isOn && isOff) throw usageError(`--${on} and --${off} cannot be used together.`, { next: "Use one of them." });
  return isOn ? true : isOff ? false : undefined;
}

export { keyValue } from "./values.ts";
