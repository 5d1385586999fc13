import { afterAll, beforeAll, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import { call, ok } from "./client.ts";

let sandbox: Sandbox;
let token: string;
beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  token = sandbox.tokens.profile;
});
afterAll(() => sandbox.close());

it("the mail and SMS services of a profile are stored, and tried with a message in the outbox", async () => {
  const path = `/profile/${sandbox.profileId}/service`;
  const to = "user@example.test";
  const test = (type: string, body: object) => call(sandbox, "POST", `${path}/test/${type}`, { token, body });
  expect((await test("email", { to })).body.message).toBe("The email service is not configured");
  const email = { provider: "smtp", from: "noreply@example.test", secrets: { data: "68c9977a28079e0010aaf399" } };
  expect(await ok(sandbox, "PUT", path, { token, body: { email } })).toBe("Successfully Updated");
  await ok(sandbox, "PUT", path, { token, body: { sms: { provider: "sns" } } });
  const sent = await test("email", { to, subject: "Try", message: "Hello" });
  expect(sent.body.result).toEqual({ message: expect.any(String), message_id: expect.any(String) });
  expect((await test("sms", { to: "+15550100", message: "Hello" })).status).toBe(200);
  expect(sandbox.outbox({ kind: "email" }).at(-1)).toMatchObject({ to, subject: "Try", message: "Hello" });
  expect((await test("fax", { to })).status).toBe(400);
  const wrong = await call(sandbox, "PUT", path, { token, body: { email: { provider: "pigeon" } } });
  expect(wrong.status).toBe(400);
});
