// Users of the portal, by the profile and by themselves.
import {
  type Resources,
  RunUser,
  type RunUserCreateInfo,
  type UserCreateInfo,
  type UserInfo,
  type UserListItem,
} from "iotdeck";

const user: UserCreateInfo = {
  name: "Jo",
  email: "jo@example.org",
  password: "secret",
  timezone: "America/New_York",
  options: { time_format: "24", date_format: "DD/MM/YYYY" },
  tags: [{ key: "role", value: "admin" }],
};

export async function invite(resources: Resources, own: RunUserCreateInfo): Promise<string> {
  const { user: id } = await resources.run.userCreate(user);
  const info: UserInfo = await resources.run.userInfo(id);
  const news: boolean = info.newsletter;
  await resources.run.userEdit(id, { ...info, active: news });
  await resources.run.notificationCreate(id, { title: "Hello", message: "You are invited" });
  const rows = await resources.run.listUsers({
    fields: ["id", "email", "last_login"],
    filter: { tags: user.tags ?? [] },
  });
  const first: Pick<UserListItem, "id"> | undefined = rows[0];
  const login = await resources.run.loginAsUser(first?.id ?? id, { expire_time: "1 day" });
  const name: string = login.name;
  await RunUser.create("example.run.tago.io", own);
  const { token } = await RunUser.login("example.run.tago.io", { email: user.email, password: user.password });
  const self = new RunUser({ token });
  await self.SDB.setItem("example.run.tago.io", "key", "value");
  return `${name} ${(await self.info("example.run.tago.io")).email}`;
}
