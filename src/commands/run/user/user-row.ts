import { RUN_USER_NAME_MAX_CHARS } from "../../../lib/core/limits.ts";
import { isEmail, quote } from "../../kit/command/values.ts";
import { isObject } from "../../kit/files/files.ts";
import type { Tag } from "../../kit/resource/body.ts";
import { stringField, tagsIn } from "../../kit/rows/cells.ts";
import { type ColumnMap, columnMap, columnOf, type MapInput, mapped } from "../../kit/rows/import-flags.ts";
import { columnReader } from "../../kit/rows/left-out.ts";
import { membersIn, rowFailure } from "../../kit/rows/members.ts";

/** A user of a file. Fields that the file does not have are absent. */
export interface UserRow {
  readonly row: number;
  readonly email: string;
  /** Fields of the user that are sent as they are. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly tags: readonly Tag[];
}

const texts = ["name", "timezone", "company", "phone", "language"] as const;
const switches = ["active", "newsletter"] as const;

/** Fields of a user in a file, besides the email address and the tags. */
export const userMembers = [...texts, ...switches, "options"] as const;
const userFields: readonly string[] = ["email", ...userMembers, "tags"];

const isUserField = (field: string): boolean => userFields.includes(field) || /^tag\../.test(field);

/** `--map col=field` of a file of users. */
export const userMap = (input: MapInput): ColumnMap =>
  columnMap(input, isUserField, `Map a column to one of ${userFields.join(", ")} or tag.KEY.`);

/** Whether a column of a file of users is read. */
export const readsUserColumn = (map: ColumnMap): ((column: string) => boolean) =>
  columnReader(map, isUserField, ["id", "password", "last_login", "created_at", "updated_at"]);

/** A cell that holds JSON; what is no JSON stays a string. */
function jsonIn(cell: unknown): unknown {
  if (typeof cell !== "string") return cell;
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    return cell;
  }
}

/** Reads a row of a file of users. @throws a failure that names the row (exit 3) */
export function userRow(value: unknown, row: number, place: string, map: ColumnMap): UserRow {
  const wrong = rowFailure("user", row, place, (field) => columnOf(map, field));
  if (!isObject(value)) throw wrong("It is not an object.");
  const cells = mapped(value, map).filter(([, cell]) => cell !== undefined && cell !== null && cell !== "");
  const cell = new Map(cells);
  const email = stringField(cell.get("email"));
  if (email === undefined || !isEmail(email))
    throw wrong(`it must be an email address${email === undefined ? "" : `; it is ${quote(email)}`}.`, "email");
  if (cell.has("password")) throw wrong('It has a "password"; new users get a random one, and set their own.');
  const members: Record<string, unknown> = membersIn(cell, texts, switches, wrong);
  const { name = "" } = members;
  if (String(name).length > RUN_USER_NAME_MAX_CHARS)
    throw wrong(
      `the name must have at most ${RUN_USER_NAME_MAX_CHARS} characters; it has ${String(name).length}.`,
      "name",
    );
  const options = jsonIn(cell.get("options"));
  if (options !== undefined && !isObject(options)) throw wrong("it must be a JSON object.", "options");
  if (options !== undefined) members["options"] = options;
  return { row, email: email.toLowerCase(), members, tags: tagsIn(cells, wrong) };
}
