import { describe, expect, it } from "vitest";
import { type RedirectScope, sendFollowing } from "../../../src/lib/http/redirects.ts";
import { TransportError, type TransportRequest } from "../../../src/lib/http/transport.ts";
import {
  type ManualClock,
  manualClock,
  reply,
  type Step,
  scripted,
  success,
} from "../../helpers/scripted-transport.ts";

const base: TransportRequest = {
  method: "GET",
  url: "https://api.example/device/d1?page=1",
  headers: { token: "secret", authorization: "secret", cookie: "secret", accept: "application/json" },
  timeoutMs: 60_000,
};
const write: TransportRequest = {
  ...base,
  method: "POST",
  headers: { ...base.headers, "content-type": "application/json" },
  body: '{"name":"Pump"}',
};

const redirect = (location: string | undefined, status = 302) =>
  reply({ status, headers: location === undefined ? {} : { location } });

async function send(
  steps: readonly [Step, ...Step[]],
  request = base,
  clock: ManualClock = manualClock(),
  scope: RedirectScope = "anywhere",
) {
  const transport = scripted(...steps);
  const result = await sendFollowing(transport, request, clock.now, scope).then(
    (answer) => answer,
    (error: unknown) => error,
  );
  return { result, requests: transport.requests };
}

describe("redirects", () => {
  it.each([
    ["/moved", "https://api.example/moved"],
    ["moved?x=1#part", "https://api.example/device/moved?x=1"],
    ["//other.example/a", "https://other.example/a"],
    ["https://other.example:8443/a", "https://other.example:8443/a"],
  ])("to %s are followed", async (location, url) => {
    const answer = success(1);
    const { result, requests } = await send([redirect(location), answer]);
    expect(result).toBe(answer);
    expect(requests.map((request) => request.url)).toEqual([base.url, url]);
  });

  it.each([301, 302, 303, 307, 308])("with status %i are followed", async (status) => {
    const { requests } = await send([redirect("/moved", status), success(1)]);
    expect(requests).toHaveLength(2);
  });

  it.each([200, 300, 304, 305, 306, 400])("with status %i are none", async (status) => {
    const { requests } = await send([redirect("/moved", status)]);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ["POST", 301, "GET"],
    ["POST", 302, "GET"],
    ["POST", 303, "GET"],
    ["POST", 307, "POST"],
    ["POST", 308, "POST"],
    ["PUT", 301, "PUT"],
    ["PUT", 303, "GET"],
    ["PUT", 307, "PUT"],
    ["DELETE", 302, "DELETE"],
    ["DELETE", 303, "GET"],
    ["GET", 303, "GET"],
  ] as const)("of %s with %i become %s, with the body only where the method stays", async (method, status, then) => {
    const { requests } = await send([redirect("/moved", status), success(1)], { ...write, method });
    const [, second] = requests;
    expect(second?.method).toBe(then);
    const keeps = then === method;
    expect(second?.body).toBe(keeps ? write.body : undefined);
    expect(second?.headers["content-type"]).toBe(keeps ? "application/json" : undefined);
    expect(second?.headers["token"]).toBe("secret");
  });

  it.each(["https://other.example/a", "https://api.example:8443/a", "https://sub.api.example/a"])(
    "to the other origin %s carry nothing that says who is asking, and never do again",
    async (location) => {
      const { requests } = await send([redirect(location), redirect("https://api.example/back"), success(1)]);
      expect(requests).toHaveLength(3);
      for (const { headers } of requests.slice(1)) expect(headers).toEqual({ accept: "application/json" });
    },
  );

  it.each([
    ["POST", 307],
    ["POST", 308],
    ["PUT", 302],
    ["DELETE", 307],
  ] as const)(
    "of a %s with %i to another origin are an error, and the body does not go there",
    async (method, status) => {
      const steps = [redirect("https://other.example/a", status), success(1)] as const;
      const { result, requests } = await send(steps, { ...write, method });
      const message = `The server redirected a ${method} to https://other.example: a write is not sent to another origin`;
      expect(result).toMatchObject({ message, code: "UNKNOWN" });
      expect(requests).toHaveLength(1);
    },
  );

  it("of a POST to another origin are followed where they become a GET without a body", async () => {
    const { requests } = await send([redirect("https://other.example/a", 303), success(1)], write);
    expect(requests[1]).toMatchObject({ method: "GET", body: undefined, headers: { accept: "application/json" } });
  });

  it.each([
    ["GET", 302],
    ["GET", 308],
    ["POST", 303],
    ["POST", 307],
    ["DELETE", 302],
  ] as const)("of a %s with %i that must stay in its origin are an error elsewhere", async (method, status) => {
    for (const location of ["https://other.example/a", "https://api.example:8443/a", "//user@other.example/a"]) {
      const steps = [redirect("/moved", 307), redirect(location, status), success(1)] as const;
      const { result, requests } = await send(steps, { ...write, method }, manualClock(), "origin");
      const { origin } = new URL(location, base.url);
      expect(result).toMatchObject({
        message: `The server redirected to ${origin}: a response of another origin is not used`,
        reason: "BAD_REDIRECT",
        reply: { status },
      });
      expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(["/device/d1", "/moved"]);
    }
  });

  it("that stay in their origin are followed", async () => {
    const { requests } = await send([redirect("/moved"), success(1)], base, manualClock(), "origin");
    expect(requests.map(({ headers }) => headers["token"])).toEqual(["secret", "secret"]);
  });

  it("end after 20", async () => {
    const { result, requests } = await send([redirect("/again")]);
    expect(requests).toHaveLength(21);
    expect(result).toBeInstanceOf(TransportError);
    expect(result).toMatchObject({
      message: "The server redirected more than 20 times",
      code: "UNKNOWN",
      reason: "BAD_REDIRECT",
    });
  });

  it.each([
    ["http://api.example/a", "The server redirected from https to http"],
    ["file:///etc/passwd", "The server redirected to another kind of address"],
    ["data:text/plain,x", "The server redirected to another kind of address"],
    ["http://", "The server redirected to no usable address"],
    ["", "The server redirected to no usable address"],
    [undefined, "The server redirected to no usable address"],
  ])("to %j are an error at once", async (location, message) => {
    const { result, requests } = await send([redirect(location)]);
    expect(result).toMatchObject({ message, code: "UNKNOWN", maybeSent: true });
    expect(requests).toHaveLength(1);
  });

  it("from http to http are followed, as sandboxes have no certificate", async () => {
    const { requests } = await send([redirect("/moved"), success(1)], { ...base, url: "http://127.0.0.1:8080/a" });
    expect(requests[1]?.url).toBe("http://127.0.0.1:8080/moved");
  });

  it("share the time of the attempt", async () => {
    const clock = manualClock();
    const slow = () => {
      clock.pass(25_000);
      return redirect("/again");
    };
    const { result, requests } = await send([slow], { ...base, timeoutMs: 60_000 }, clock);
    expect(result).toMatchObject({ code: "TIMEOUT" });
    expect(requests.map(({ timeoutMs }) => timeoutMs)).toEqual([60_000, 35_000, 10_000]);
  });

  it("have no deadline where the attempt has none", async () => {
    const { requests } = await send([redirect("/moved"), success(1)], { ...base, timeoutMs: 0 });
    expect(requests.map(({ timeoutMs }) => timeoutMs)).toEqual([0, 0]);
  });
});
