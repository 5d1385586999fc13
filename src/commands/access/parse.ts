import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { didYouMean } from "../kit/failures/unknown-word.ts";

/** `run_user`, `run_user:id:65a1…`, `device:tag:site=7`, `device:same:site`, `file:path:reports`. */
export function parseTuple(text: string, flag: string): string[] {
  const [type = "", how, ...rest] = text.split(":");
  const value = rest.join(":");
  if (!/^[a-z_]+$/.test(type)) throw badTuple(text, flag);
  if (how === undefined) return [type];
  if (value === "") throw badTuple(text, flag);
  switch (how) {
    case "id":
    case "path":
      return [type, how, value];
    case "same":
      return [type, "tag_match", value];
    case "tag": {
      const at = value.indexOf("=");
      if (at < 1) throw badTuple(text, flag);
      return [type, "tag.key", value.slice(0, at), "tag.value", value.slice(at + 1)];
    }
    default:
      throw badTuple(text, flag);
  }
}

function badTuple(text: string, flag: string): Error {
  return usageError(`Invalid value ${quote(text)} for ${flag}.`, {
    next: "Give a type, optionally narrowed: device, device:id:<id>, device:tag:site=7, device:same:site, file:path:reports.",
  });
}

export interface Permission {
  readonly effect: "allow" | "deny";
  readonly action: readonly string[];
  readonly resource: readonly string[];
}

/** `access,edit device:tag:site=7`: actions, a space, what they are about. */
export function parsePermission(effect: "allow" | "deny", text: string): Permission {
  const [actions = "", resource, ...more] = text.trim().split(/\s+/);
  const action = actions.split(",").filter((name) => name !== "");
  if (resource === undefined || more.length > 0 || action.length === 0) {
    throw usageError(`Invalid value ${quote(text)} for --${effect}.`, {
      next: `Give the actions, a space and the resource: --${effect} "access,edit device:tag:site=7".`,
    });
  }
  return { effect, action, resource: parseTuple(resource, `--${effect}`) };
}

/** Refuses a type that the platform knows no rule for. */
export function checkTypes(types: readonly string[], known: readonly string[], flag: string): void {
  const unknown = types.find((type) => !known.includes(type));
  if (unknown === undefined) return;
  throw usageError(`Unknown type ${quote(unknown)} for ${flag}.`, {
    code: "usage.invalid_value",
    ...didYouMean(unknown, known, `Types: ${known.join(", ")}.`),
  });
}
