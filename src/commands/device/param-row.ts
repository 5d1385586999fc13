import { quote } from "../kit/command/values.ts";
import { notFoundError, usageError } from "../kit/failures/command-error.ts";

export interface ParamRow {
  readonly id: string;
  readonly key: string;
  readonly value: string;
  readonly sent: boolean;
}

export function findParam(params: readonly ParamRow[], text: string): ParamRow {
  const matches = params.filter(({ id, key }) => id === text || key === text);
  const [only, ...others] = matches;
  if (only === undefined) {
    throw notFoundError(`The device has no parameter ${quote(text)}.`, {
      code: "device.param_not_found",
      why: params.length === 0 ? "It has no parameters." : `It has ${params.map(({ key }) => key).join(", ")}.`,
      next: "Use one of these keys, or an id.",
    });
  }
  if (others.length === 0) return only;
  throw usageError(`The device has ${matches.length} parameters named ${quote(text)}.`, {
    why: `Their ids are ${matches.map(({ id }) => id).join(", ")}.`,
    next: "Use one of these ids.",
  });
}
