import type { Resources } from "../../../index.ts";
import type { CommandContext } from "../context.ts";
import type { NamedResource } from "../resource/resolve-id.ts";
import type { ResourceApi } from "../resource/resource.ts";
import { simpleFinder } from "../resource/simple-finder.ts";

/** The calls for users of the portal, which have names of their own. */
export const runUserApi = ({ run }: Resources): ResourceApi<{ readonly id: string }> => ({
  list: run.listUsers.bind(run),
  info: run.userInfo.bind(run),
  create: run.userCreate.bind(run),
  edit: run.userEdit.bind(run),
  delete: run.userDelete.bind(run),
});

/** The user with this email address. */
export async function withEmail(ctx: CommandContext, email: string): Promise<readonly NamedResource[]> {
  const { run } = await ctx.client();
  const rows = await run.listUsers({ amount: 20, fields: ["id", "name", "email"], filter: { email } });
  const isSame = (text: string): boolean => text.toLowerCase() === email.toLowerCase();
  return rows.filter((row) => isSame(row.email)).map(({ id, name }) => ({ id, name }));
}

/** How users of the portal are found. */
export const runUserFinder = simpleFinder({ noun: "run user", forms: ["name", "tag"], api: runUserApi });
