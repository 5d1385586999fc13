import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { unknownWord } from "../kit/failures/unknown-word.ts";

/** `run_user`, `run_user:id:65a1…`, `device:tag:site=7`, `device:same:site`, `file:path:reports`. */
export function parseTuple(text: string, flag: string, types: readonly string[]): string[] {
  const [type = "", how, ...rest] = text.split(":");
  const value = rest.join(":");
  if (!/^[a-z_]+$/.test(type)) throw badTuple(text, flag);
  if (!types.includes(type)) throw unknownWord(flag === "--who" ? "target" : "resource", type, types);
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

/** Actions of the platform that its documents name; it may have more. */
const ACTIONS: readonly string[] = [
  "access",
  "create",
  "edit",
  "delete",
  "get_data",
  "send_data",
  "edit_data",
  "delete_data",
  "upload",
  "run",
  "run_analysis",
  "execute",
  "duplicate",
  "related_devices",
  "related_analysis",
  "arrangement",
  "token_access",
  "access_profile",
  "access_profile_statistics",
  "login_as_user",
  "notification",
  "manage_chunks",
  "export_data",
  "import_data",
];

export interface Permission {
  readonly effect: "allow" | "deny";
  readonly action: readonly string[];
  readonly resource: readonly string[];
}

/** `access,edit device:tag:site=7`: actions, a space, what they are about. */
export function parsePermission(effect: "allow" | "deny", text: string, types: readonly string[]): Permission {
  const [actions = "", resource, ...more] = text.trim().split(/\s+/);
  const action = actions.split(",").filter((name) => name !== "");
  if (resource === undefined || more.length > 0 || action.length === 0) {
    throw usageError(`Invalid value ${quote(text)} for --${effect}.`, {
      next: `Give the actions, a space and the resource: --${effect} "access,edit device:tag:site=7".`,
    });
  }
  const unknown = action.find((name) => !ACTIONS.includes(name));
  if (unknown !== undefined) {
    throw unknownWord("action", unknown, ACTIONS, {
      why: `iot knows ${ACTIONS.join(", ")}.`,
      next: "If the platform has it, pass the rule in a file with --input.",
    });
  }
  return { effect, action, resource: parseTuple(resource, `--${effect}`, types) };
}
