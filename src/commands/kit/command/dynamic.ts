import type { CommandInput } from "./define.ts";
import { camelCase } from "./values.ts";

// For code that is given its flags as data. Commands read theirs by name, which the compiler checks.

const propertyOf = (object: object, name: string): unknown => Object.entries(object).find(([key]) => key === name)?.[1];

const textOrNothing = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The value of a flag by its name on the command line. */
export const optionValue = ({ options }: CommandInput, name: string): unknown => propertyOf(options, camelCase(name));

/** The text of a flag; undefined where it has none. */
export const optionString = (input: CommandInput, name: string): string | undefined =>
  textOrNothing(optionValue(input, name));

/** The texts of a flag that may be repeated; as they were typed where its kind makes something else of them. */
export function optionStrings(input: CommandInput, name: string): readonly string[] {
  const [value, typed] = [optionValue(input, name), propertyOf(input.texts ?? {}, camelCase(name))];
  return areStrings(value) ? value : areStrings(typed) ? typed : [];
}

const areStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** Whether a switch was given. */
export const isOn = (input: CommandInput, name: string): boolean => optionValue(input, name) === true;

/** The text of an argument. */
export const argumentString = ({ args }: CommandInput, name: string): string | undefined =>
  textOrNothing(propertyOf(args, name));
