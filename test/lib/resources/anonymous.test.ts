import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Account, type CallOptions, CancelledError, type Region, RunUser } from "../../../src/index.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { answer, type FaultServer, ok, silence, startFaultServer } from "../../helpers/fault-server.ts";
import { frozen } from "../../helpers/operations.ts";
import { date, moment } from "../../helpers/rows.ts";
import { waitFor } from "../../helpers/wait-for.ts";

interface Anonymous {
  readonly name: string;
  call(region: Region, options?: CallOptions): Promise<unknown>;
  readonly sends: string;
  readonly body?: unknown;
  readonly answers?: unknown;
  readonly gives?: unknown;
}

const url = "my.run.example";
const credentials = frozen({ email: "a@b.example", password: "p w" });
const person = frozen({ name: "Ann", email: "a@b.example", timezone: "UTC", password: "p w" });
const owner = frozen({ ...person, cpassword: "p w" });
const withOTP = { ...credentials, otp_type: "sms" };

const table: Anonymous[] = [
  {
    name: "Account.login",
    sends: "POST /account/login",
    body: credentials,
    call: (r, o) => Account.login(credentials, r, o),
  },
  {
    name: "Account.passwordRecover",
    sends: "GET /account/passwordreset/a%2Bc%40b.example",
    call: (r, o) => Account.passwordRecover("a+c@b.example", r, o),
  },
  { name: "Account.create", sends: "POST /account", body: owner, call: (r, o) => Account.create(owner, r, o) },
  {
    name: "Account.resendConfirmation",
    sends: "GET /account/resend_confirmation/a%40b.example",
    call: (r, o) => Account.resendConfirmation("a@b.example", r, o),
  },
  {
    name: "Account.confirmAccount",
    sends: "GET /account/confirm/t%2F1",
    call: (r, o) => Account.confirmAccount("t/1", r, o),
  },
  {
    name: "Account.requestLoginPINCode",
    sends: "POST /account/login/otp",
    body: withOTP,
    call: (r, o) => Account.requestLoginPINCode(credentials, "sms", r, o),
  },
  {
    name: "Account.acceptTeamInvitation",
    sends: "GET /profile/team/accept/t1",
    call: (r, o) => Account.acceptTeamInvitation("t1", r, o),
  },
  {
    name: "Account.declineTeamInvitation",
    sends: "GET /profile/team/decline/t1",
    call: (r, o) => Account.declineTeamInvitation("t1", r, o),
  },
  {
    name: "RunUser.create",
    sends: `POST /run/${url}/signup`,
    body: person,
    answers: { user: "u1" },
    call: (r, o) => RunUser.create(url, person, r, o),
  },
  {
    name: "RunUser.login",
    sends: `POST /run/${url}/login`,
    body: credentials,
    answers: { token: "u-1", expire_date: moment },
    gives: { token: "u-1", expire_date: date },
    call: (r, o) => RunUser.login(url, credentials, r, o),
  },
  {
    name: "RunUser.confirmUser",
    sends: `GET /run/${url}/confirm/t%2F1`,
    call: (r, o) => RunUser.confirmUser(url, "t/1", r, o),
  },
  {
    name: "RunUser.passwordRecover",
    sends: `GET /run/${url}/passwordreset/a%40b.example`,
    call: (r, o) => RunUser.passwordRecover(url, "a@b.example", r, o),
  },
  {
    name: "RunUser.requestLoginPINCode",
    sends: `POST /run/${url}/login/otp`,
    body: withOTP,
    call: (r, o) => RunUser.requestLoginPINCode(url, credentials, "sms", r, o),
  },
];

describe("a call anybody may make", () => {
  let server: FaultServer;
  const region = () => ({ api: server.url, sse: "" });

  beforeEach(async () => {
    server = await startFaultServer(silence);
  });

  afterEach(() => server.close());

  it.each(table)("$name sends one request without a token, to the region named", async (row) => {
    const { answers = "done", gives = answers } = row;
    server.react(ok(answers));
    await expect(row.call(region())).resolves.toEqual(gives);
    expect(server.requests).toHaveLength(1);
    const [request] = server.requests;
    expect(`${request?.method} ${request?.path}`).toBe(row.sends);
    expect(request?.headers["token"]).toBeUndefined();
    expect(request?.body === "" ? undefined : JSON.parse(request?.body ?? "")).toEqual(row.body);
  });

  it.each(table)("$name is refused with the server's words, without what was secret", async (row) => {
    server.react(answer({ status: 400, body: '{"status":false,"message":"Invalid credentials"}' }));
    const error = await failureOf(row.call(region()));
    expect(error).toMatchObject({ name: "ApiError", message: "Invalid credentials", status: 400 });
    expect(JSON.stringify({ ...error, stack: error.stack })).not.toContain("p w");
  });

  it.each(table)("$name ends with the caller's signal", async (row) => {
    const controller = new AbortController();
    const outcome = failureOf(row.call(region(), { signal: controller.signal }));
    await waitFor(() => server.requests.length === 1, "the request");
    controller.abort("enough");
    expect(await outcome).toBeInstanceOf(CancelledError);
  });
});
