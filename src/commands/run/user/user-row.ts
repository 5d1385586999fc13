import type { CommandInput } from "../../kit/command/define.ts";
import { isObject } from "../../kit/files/files.ts";
import type { Tag } from "../../kit/resource/body.ts";
import { parseJson, tagsIn, textOf } from "../../kit/rows/cells.ts";
import { type ColumnMap, columnMap, mapped } from "../../kit/rows/import-flags.ts";
import { membersIn, rowFailure } from "../../kit/rows/members.ts";

/** A user of a file. Members that the file does not have are absent. */
export interface UserRow {
  readonly row: number;
  readonly email: string;
  /** Members of the user that are sent as they are. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly tags: readonly Tag[];
}

const texts = ["name", "timezone", "company", "phone", "language"] as const;
const switches = ["active", "newsletter"] as const;

/** Members of a user in a file, besides the email address and the tags. */
export const userMembers = [...texts, ...switches, "options"] as const;
const userFields: readonly string[] = ["email", ...userMembers, "tags"];

/** `--map col=field` of a file of users. */
export const userMap = (input: CommandInput): ColumnMap =>
  columnMap(
    input,
    (field) => userFields.includes(field) || /^tag\../.test(field),
    `Map a column to one of ${userFields.join(", ")} or tag.KEY.`,
  );

/** Reads a row of a file of users. @throws a failure that names the row (exit 3) */
export function userRow(value: unknown, row: number, place: string, map: ColumnMap): UserRow {
  const wrong = rowFailure("user", row, place);
  if (!isObject(value)) throw wrong("It is not an object.");
  const cells = mapped(value, map).filter(([, cell]) => cell !== undefined && cell !== null && cell !== "");
  const cell = new Map(cells);
  const email = textOf(cell.get("email"));
  if (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email)) throw wrong('It has no valid "email".');
  if (cell.has("password")) throw wrong('It has a "password"; new users get a random one, and set their own.');
  const members: Record<string, unknown> = membersIn(cell, texts, switches, wrong);
  const given = cell.get("options");
  const options = typeof given === "string" ? parseJson(given, place, row) : given;
  if (options !== undefined && !isObject(options)) throw wrong('Its "options" must be an object.');
  if (options !== undefined) members["options"] = options;
  return { row, email: email.toLowerCase(), members, tags: tagsIn(cells, place, row) };
}
