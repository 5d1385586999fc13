import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { deleted, deletedRows, one, rows } from "../kit/command/result.ts";
import { parseEmail, quote } from "../kit/command/values.ts";
import { notFoundError } from "../kit/failures/command-error.ts";
import { chosenProfile, profileArgument, profileFinder } from "../kit/finders/profile.ts";
import { expectTexts } from "../kit/resource/reply.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";

interface Member {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly active: boolean;
}

const columns: readonly Column<Member>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "email" },
  { key: "active", header: "joined", kind: "flag" },
  { key: "created_at", header: "since", kind: "time" },
];

const list = defineCommand({
  path: ["team", "list"],
  aliases: ["ls"],
  result: rows(columns),
  effect: "reads",
  summary: "List the accounts a profile is shared with",
  details: 'People who have not accepted the invitation yet show "joined: no".',
  args: [profileArgument],
  groups: ["limit"],
  examples: ["iot profile team list", 'iot profile team list "name:Demo Plant" --json'],
  related: ["iot profile team add"],
  async run(ctx, input) {
    const { id } = await chosenProfile(ctx, input.args.id);
    const { profiles } = await ctx.client();
    const team = await lookUp(ctx, profileFinder, id, () => profiles.teamList(id));
    await ctx.out.list(team, { columns, empty: "The profile is not shared." });
  },
});

const add = defineCommand({
  path: ["team", "add"],
  result: one(columns),
  effect: "changes",
  summary: "Invite an account to a profile",
  details: "Sends an email invitation. Members can do everything in the profile except delete it.",
  args: [{ name: "email", summary: "email address of the account", required: true }, profileArgument],
  examples: ["iot profile team add jo@example.test", 'iot profile team add jo@example.test "name:Empty" --dry-run'],
  exitCodes: [1],
  related: ["iot profile team list", "iot profile team delete"],
  async run(ctx, input) {
    const { email } = input.args;
    parseEmail(email, "<email>");
    const target = await chosenProfile(ctx, input.args.id);
    if (await ctx.dryRun({ method: "POST", path: `/profile/${target.id}/team`, body: { email } })) return;
    const { profiles } = await ctx.client();
    await lookUp(ctx, profileFinder, target.id, () => profiles.addTeamMember(target.id, email));
    const team = await profiles.teamList(target.id);
    expectTexts(team, ["id", "email"], "with the team");
    const member = team.find((one) => one.email.toLowerCase() === email.toLowerCase());
    const invited = { id: null, name: "", email, active: false, created_at: null };
    await ctx.out.item({ ...(member ?? invited) }, { columns: columns as readonly Column<object>[] });
    await ctx.done(`Invited ${email} to profile "${await target.name()}"`);
  },
});

const remove = defineCommand({
  path: ["team", "delete"],
  aliases: ["rm", "remove"],
  result: deleted,
  effect: "deletes",
  summary: "Remove an account from a profile",
  details: "Also deletes the tokens the account created for the profile. Use it to cancel an invitation, too.",
  args: [{ name: "member", summary: "id or email address of the account", required: true }],
  options: [
    {
      name: "from",
      value: "id",
      summary: "profile: full id or a unique name:… (the token's profile)",
      leadsAway: true,
    },
  ],
  examples: [
    "iot profile team delete shared@example.test --dry-run",
    'iot profile team delete shared@example.test --from "name:Demo Plant" --yes --dry-run',
  ],
  exitCodes: [6],
  related: ["iot profile team list"],
  async run(ctx, input) {
    const text = input.args.member;
    const target = await chosenProfile(ctx, input.options.from);
    const { profiles } = await ctx.client();
    const team = await lookUp(ctx, profileFinder, target.id, () => profiles.teamList(target.id));
    expectTexts(team, ["id", "email"], "with the team");
    const member = team.find(({ id, email }) => id === text || email.toLowerCase() === text.toLowerCase());
    if (member === undefined) {
      throw notFoundError(`The profile is not shared with ${quote(text)}.`, {
        code: "profile.member_not_found",
        why: team.length === 0 ? "The team is empty." : `The members are ${team.map(({ email }) => email).join(", ")}.`,
        next: 'Run "iot profile team list".',
      });
    }
    if (await ctx.dryRun({ method: "DELETE", path: `/profile/${target.id}/team/${member.id}` })) return;
    const name = await target.name();
    const action = `Remove ${member.email} from profile "${name}"`;
    await ctx.confirm({ level: 1, action, name: member.email });
    await profiles.deleteTeamMember(target.id, member.id);
    await ctx.out.list([{ id: member.id, name: member.name || member.email }], deletedRows);
    await ctx.done(`Removed ${member.email} from profile "${name}"`);
  },
});

export const commands: readonly Command[] = [list, add, remove];
