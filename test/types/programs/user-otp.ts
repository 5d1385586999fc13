// A user list that adds a property the official type does not have.
import { Resources, type UserInfo, type UserQuery } from "iotdeck";

interface UserWithFactors extends UserInfo {
  otp?: unknown;
}

const isProtected = ({ otp }: UserWithFactors): boolean =>
  typeof otp === "object" && otp !== null && Object.values(otp).some((on) => on === true);

export async function unprotected(email?: string): Promise<string[]> {
  const filter: UserQuery["filter"] = {};
  if (email) filter.email = email;
  const found = await Resources.run.listUsers({ amount: 100, fields: ["id", "name", "email"], filter });
  const users: UserWithFactors[] = await Promise.all(found.map(({ id }) => Resources.run.userInfo(id)));
  return users.filter((user) => !isProtected(user)).map((user) => `${user.name} <${user.email}>`);
}
