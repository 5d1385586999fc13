import type { Resources } from "../../index.ts";
import { ApiError } from "../../lib/core/errors.ts";

/** Somebody who changes things. */
interface Actor {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
}

/** The response of the platform; nothing where this token may not read it, or where there is none. */
async function orNothing<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

const shown = ({ id, name, email }: Actor): string => name || email || id;

/**
 * Names of who makes changes in a profile: accounts, analyses and portal users. Each is asked for once; who has gone, or
 * cannot be read with this token, stays an id.
 */
export function createNames(client: Resources, profile: string): (id: string) => Promise<string> {
  const { account, profiles, analysis, run } = client;
  const readAccounts = () => Promise.all([orNothing(account.info()), orNothing(profiles.teamList(profile))]);
  let accounts: ReturnType<typeof readAccounts> | undefined;
  const known = new Map<string, Promise<string>>();

  async function find(id: string): Promise<string> {
    accounts ??= readAccounts();
    const [owner, team = []] = await accounts;
    const member = [...(owner === undefined ? [] : [owner]), ...team].find((each) => each.id === id);
    const actor = member ?? (await orNothing(analysis.info(id))) ?? (await orNothing(run.userInfo(id)));
    return actor === undefined ? id : shown({ ...actor, id });
  }

  return (id) => {
    const name = known.get(id) ?? find(id);
    known.set(id, name);
    return name;
  };
}
