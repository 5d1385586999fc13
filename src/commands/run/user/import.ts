import { countOf } from "../../../text/count.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { Column } from "../../kit/command/columns.ts";
import { defineCommand } from "../../kit/command/define.ts";
import type { Input, Options } from "../../kit/command/options.ts";
import { rows } from "../../kit/command/result.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { inputError } from "../../kit/failures/command-error.ts";
import { mergeTags } from "../../kit/resource/body.ts";
import { columnOf, formatFlag, importOptions, isTolerant, withRowFile } from "../../kit/rows/import-flags.ts";
import { type ImportJob, oneByOne, type RowBatch, type RowOutcome } from "../../kit/rows/import-job.ts";
import { importRows, requireRows } from "../../kit/rows/importer.ts";
import type { RowFile } from "../../kit/rows/reader.ts";
import type { Journal } from "../../kit/state/journal.ts";
import { readsUserColumn, type UserRow, userMap, userRow } from "./user-row.ts";
import { existsError, UserWriter } from "./user-writer.ts";

/** What became of a row. */
interface RowResult {
  readonly row: number;
  readonly email: string;
  readonly user: string;
  readonly result: string;
  readonly reason: string;
}

const resultColumns: readonly Column<RowResult>[] = [
  { key: "row", kind: "number" },
  { key: "email", rank: 1 },
  { key: "user", kind: "id", rank: 3 },
  { key: "result", rank: 1 },
  { key: "reason" },
];

const options = [
  ...importOptions("map a column to a field: mail=email, role=tag.role"),
  { name: "tag", kind: "pair", summary: "tag for every user in the file", repeat: true },
  { name: "invite", summary: "email each new active user a link to set a password" },
  {
    name: "on-conflict",
    value: "way",
    summary: "what to do if a user already exists",
    choices: ["skip", "update", "fail"],
    default: "fail",
  },
] as const satisfies Options;

type Given = Input<[], typeof options>;

export const importUsers = defineCommand({
  path: ["user", "import"],
  result: rows(resultColumns),
  effect: "changes",
  summary: "Create or update portal users from a file",
  details:
    "Columns: email (required), name (required for new users), timezone (UTC), company, phone, language, active (new users " +
    "are active), newsletter, options, tags and tag.KEY; --map maps other names. A row matches an existing user by email " +
    "address: by default the command then stops with exit 7 before changing anything. Updates change only what the file " +
    "contains. New users get a random password that nobody knows; --invite sends each of them the portal's email to set " +
    "their own. Nobody is deleted.",
  args: [{ name: "file", file: "in", summary: "the file, instead of --input" }],
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    "iot run user import examples/data/users.csv --tag role=operator --invite --yes",
    `printf 'mail,name\\njo@example.test,Jo\\n' | iot run user import - --map mail=email --on-conflict update --dry-run`,
  ],
  exitCodes: [3, 7, 8, 9],
  related: ["iot run user export", "iot run user list"],
  async run(ctx, input) {
    return withRowFile(ctx, input, input.args.file, async (file) =>
      importRows(ctx, input, await userImport(ctx, input, file)),
    );
  },
});

async function userImport(
  ctx: CommandContext,
  input: Given,
  file: RowFile,
): Promise<ImportJob<UserRow, RowBatch<UserRow>, RowResult>> {
  const map = userMap(input);
  const { tag: tags, onConflict } = input.options;
  const { api } = await ctx.connection();
  const client = await batchClient(ctx);
  const isInviting = input.options.invite;
  const writer = new UserWriter(ctx, client, onConflict, isInviting ? (await client.run.info()).url : undefined);
  const results: RowResult[] = [];
  const isOther = otherUsers(file.place);
  let journal: Journal | undefined;
  return {
    file,
    unit: ["user", "users"],
    key: ["run user import", api, ctx.flags.profile ?? "", file.path],
    flags: [formatFlag(input), input.options.map, input.options.tag, isInviting],
    before: "done before",
    read({ row, value }) {
      const found = userRow(value, row, file.place, map);
      isOther(found);
      return { ...found, tags: mergeTags(found.tags, tags, []) };
    },
    columnOf: (field) => columnOf(map, field.split(".", 1)[0] ?? field),
    isRead: readsUserColumn(map),
    batches: oneByOne,
    async begin(opened, users) {
      journal = opened;
      await writer.readEmails();
      if (!isTolerant(input)) await requireRows(file.place, users(), (row) => writer.requireName(row));
      if (onConflict === "fail" && !isTolerant(input)) await refuseConflicts(writer, opened, users());
      if (isInviting && !ctx.flags.dryRun) await askToInvite(ctx, writer, users());
    },
    async requests({ rows: [row] }) {
      return row === undefined ? [] : writer.requests(row, await writer.plan(row));
    },
    async prepare({ rows: [row] }, isBegun) {
      return row === undefined ? { result: "unchanged" } : prepareUser(writer, journal, row, isBegun);
    },
    report: ["row", "email", "user", "result", "reason"],
    tell(row, { result, reason = "", id = "" }, read) {
      const told = { row, email: read?.email ?? "", user: id, result, reason };
      results.push(told);
      return told;
    },
    print: () => ctx.out.list(results, { columns: resultColumns, empty: "Nothing was changed.", idKey: "user" }),
    said(tally) {
      const rest = tally.of("unchanged", "skipped", "done before");
      return `Created ${tally.of("created")} and updated ${countOf(tally.of("updated"), "user")}, left ${rest} unchanged`;
    },
  };
}

/** What is to be done about a row: nothing more, or a request that is noted before and after. */
async function prepareUser(
  writer: UserWriter,
  journal: Journal | undefined,
  row: UserRow,
  isBegun: boolean,
): Promise<RowOutcome | (() => Promise<RowOutcome>)> {
  const noted = journal?.mark(creationOf(row));
  const plan = await writer.plan(row, noted === "created" || (isBegun && noted === "begun"));
  const { id, result, reason } = plan;
  const isDone = id !== undefined && result !== "updated" && !plan.isInvited;
  if (isDone) return { result, reason, id };
  return () => {
    if (id === undefined) journal?.add(creationOf(row), "begun");
    return writer.carryOut(row, plan, () => journal?.add(creationOf(row), "created"));
  };
}

/** The journal's note that a row is about a new user, as opposed to one who was there before. */
const creationOf = ({ row }: UserRow): string => `create ${row}`;

/** Two rows about the same user would depend on their order. */
function otherUsers(place: string): (row: UserRow) => void {
  const seen = new Map<string, number>();
  return ({ row, email }) => {
    const first = seen.get(email) ?? row;
    seen.set(email, first);
    if (first === row) return;
    throw inputError(`Rows ${first} and ${row} of ${quote(place)} have the same email address.`, {
      row,
      why: `Both have ${quote(email)}.`,
      next: "Remove one of them; nothing was changed.",
    });
  };
}

/** Whom an earlier run has created is no conflict. */
async function refuseConflicts(writer: UserWriter, journal: Journal, users: AsyncIterable<UserRow>): Promise<void> {
  for await (const row of users) {
    const id = writer.find(row);
    if (id !== undefined && journal.mark(creationOf(row)) === undefined) throw existsError(row, id);
  }
}

/** Emails cannot be unsent. */
async function askToInvite(ctx: CommandContext, writer: UserWriter, users: AsyncIterable<UserRow>): Promise<void> {
  const invited: string[] = [];
  for await (const row of users)
    if (writer.find(row) === undefined && row.members["active"] !== false) invited.push(row.email);
  if (invited.length === 0) return;
  await ctx.confirm({
    level: 1,
    action: `Email an invitation to ${countOf(invited.length, "new user")}`,
    name: "invite",
    items: invited,
  });
}
