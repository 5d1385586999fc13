import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSandbox, type Sandbox } from "../../../src/sandbox/index.ts";
import { call, ok } from "../client.ts";

/** Names that lead somewhere else on some system, or in some reading of them. */
const HOSTILE = [
  "../x.txt",
  "../../../../x.txt",
  "/x.txt",
  "//x.txt",
  "/etc/passwd",
  "file:///etc/passwd",
  "C:\\x.txt",
  "..\\..\\x.txt",
  "reports/../x.txt",
  "reports/../../secret.txt",
  "reports/..\\..\\secret.txt",
  "reports/%2e%2e/secret.txt",
  "reports%2f..%2fsecret.txt",
  "%2e%2e/secret.txt",
  "..%c0%af..%c0%afsecret.txt",
  "\u{ff0e}\u{ff0e}/secret.txt",
  "\u{2024}\u{2024}\u{2215}secret.txt",
  " .. /secret.txt",
  "\u{a0}..\u{a0}/secret.txt",
  "reports\0/../secret.txt",
  "reports/\0",
  ".",
  "..",
  "/",
  "reports",
  "reports-old/x.txt",
  "Reports/x.txt",
  "r\u{e9}ports/x.txt",
  "re\u{301}ports/x.txt",
  "__proto__/x.txt",
];

const SECRET = "the secret";
const base64 = (text: string): string => Buffer.from(text).toString("base64");

let root: string;
let sandbox: Sandbox;
/** May do everything with files under `reports`, and nothing with those under `reports/closed`. */
let analysis: string;
let user: string;

interface Listing {
  readonly files: readonly { readonly filename: string; readonly size: number; readonly public: boolean }[];
  readonly folders: readonly string[];
}

const admin = <T>(method: string, path: string, body?: unknown): Promise<T> =>
  ok<T>(sandbox, method, path, { token: sandbox.tokens.profile, ...(body !== undefined && { body }) });

const status = async (token: string, method: string, path: string, body?: unknown): Promise<number> =>
  (await call(sandbox, method, path, { token, ...(body !== undefined && { body }) })).status;

const put = (filename: string, text: string): Promise<unknown> =>
  admin("POST", "/files", [{ filename, file: base64(text) }]);

/** All files, of any depth: a listing holds those of one folder. */
async function allFiles(folder = ""): Promise<Listing["files"]> {
  const path = `/files?qty=1000&path=${encodeURIComponent(folder)}`;
  const { files, folders } = await admin<Listing>("GET", path);
  const found = files.map(({ filename, size, public: isPublic }) => ({ filename, size, public: isPublic }));
  for (const name of folders) found.push(...(await allFiles(`${folder}${name}/`)));
  return found;
}

const KEPT = ["secret.txt", "reports-old/x.txt", "reports/closed/a.txt", "reports/closed/deep/b.txt"];
/** True for what the rule covers: the path itself and what lies under it. */
const isFree = (filename: string): boolean =>
  filename === "reports" || (filename.startsWith("reports/") && !filename.startsWith("reports/closed/"));

/** What nobody but the profile may touch. */
const others = async (): Promise<Listing["files"]> => (await allFiles()).filter(({ filename }) => !isFree(filename));

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "iot-hostile-paths-"));
  sandbox = await createSandbox({ seed: "empty", dataDir: join(root, "data") });
  const made = await admin<{ token: string }>("POST", "/analysis", { name: "Bound", run_on: "external" });
  const person = { name: "Uma", email: "uma@example.test", password: "Secret-123", timezone: "UTC", active: true };
  const created = await admin<{ user: string }>("POST", "/run/users", person);
  const login = await admin<{ token: string }>("GET", `/run/users/${created.user}/login`);
  const action = ["access", "upload", "edit", "delete"];
  await admin("POST", "/am", {
    name: "Reports",
    targets: [["analysis"], ["run_user"]],
    permissions: [
      { effect: "allow", action, resource: ["file", "path", "/reports"] },
      { effect: "deny", action, resource: ["file", "path", "/reports/closed"] },
    ],
  });
  analysis = made.token;
  user = login.token;
});
afterAll(async () => {
  await sandbox.close();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(async () => {
  // With what the names of an earlier test were cleaned to.
  await call(sandbox, "DELETE", "/files", { token: sandbox.tokens.profile, body: ["reports/"] });
  for (const name of [...KEPT, "reports/a.txt", "reports/open/c.txt"]) await put(name, SECRET);
});

describe("names of files that lead elsewhere", () => {
  it("are cleaned or refused, and nothing is written outside the data folder", async () => {
    const inRoot = readdirSync(root);
    const inData = readdirSync(join(root, "data")).sort();
    const token = sandbox.tokens.profile;
    for (const name of HOSTILE) {
      await put("source.txt", "x");
      const steps = [
        await status(token, "POST", "/files", [{ filename: name, file: base64("x") }]),
        await status(token, "POST", "/files", { multipart_action: "start", filename: name }),
        await status(token, "PUT", "/files/copy", [{ from: "source.txt", to: name }]),
        await status(token, "PUT", "/files", [{ from: "source.txt", to: name }]),
      ];
      for (const answer of steps) expect([200, 400, 404], JSON.stringify(name)).toContain(answer);
    }
    expect(readdirSync(root)).toEqual(inRoot);
    expect(readdirSync(join(root, "data")).sort()).toEqual(inData);
    const segments = (await allFiles()).flatMap(({ filename }) => filename.split("/"));
    expect(segments.filter((segment) => ["", ".", ".."].includes(segment) || segment.includes("\0"))).toEqual([]);
    const blobs = readdirSync(join(root, "data", "blobs"), { recursive: true, withFileTypes: true });
    expect(blobs.filter((entry) => entry.isFile()).every(({ name }) => /^[0-9a-f]{32}$/.test(name))).toBe(true);
  });

  it("change nothing outside the path of a rule", { tags: ["slow"] }, async () => {
    const before = await others();
    expect(before.map(({ filename }) => filename)).toEqual(expect.arrayContaining(KEPT));
    for (const name of [...HOSTILE, ...KEPT, "reports/closed", "reports/closed/"]) {
      const calls: readonly (readonly [method: string, path: string, body: unknown])[] = [
        ["POST", "/files", [{ filename: name, file: base64("longer than the secret"), public: true }]],
        ["PUT", "/files/copy", [{ from: "reports/a.txt", to: name }]],
        ["PUT", "/files/copy", [{ from: name, to: "reports/stolen.txt" }]],
        ["PUT", "/files/permission", [{ file: name, public: true }]],
        ["PUT", "/files", [{ from: name, to: "reports/moved.txt" }]],
        ["PUT", "/files", [{ from: "reports/a.txt", to: name }]],
        ["DELETE", "/files", [name]],
      ];
      for (const [method, path, body] of calls) {
        const answer = await call(sandbox, method, path, { token: analysis, body });
        expect([200, 400, 401, 404], `${method} ${path} ${JSON.stringify(name)}: ${answer.text}`).toContain(
          answer.status,
        );
        expect(await status(user, method, path, body)).toBe(401);
      }
      await put("reports/a.txt", SECRET);
    }
    expect(await others()).toEqual(before);
    const stolen = (await allFiles()).filter(({ filename }) => /stolen|moved/.test(filename));
    // What was copied and moved lay under the path of the rule already.
    expect(stolen.every(({ filename }) => isFree(filename))).toBe(true);
  });

  it("read nothing outside the path of a rule", async () => {
    const address = `/file/${sandbox.profileId}`;
    const paths = [
      "/secret.txt",
      "//secret.txt",
      "/reports/../secret.txt",
      "/reports/%2e%2e/secret.txt",
      "/reports/..%2fsecret.txt",
      "/reports%2f..%2fsecret.txt",
      "/reports/%252e%252e/secret.txt",
      "/reports/closed/a.txt",
      "/reports/open/../closed/a.txt",
      "/reports/./closed%2fa.txt",
      "/reports/%00/../closed/a.txt",
    ];
    for (const path of paths) {
      for (const token of [analysis, user]) {
        // By hand: a client would resolve the dots before it sends them.
        const answer = await new Promise<{ status: number; text: string }>((resolve, reject) => {
          const sent = httpRequest(
            { host: "127.0.0.1", port: sandbox.port, path: `${address}${path}`, headers: { token }, agent: false },
            (reply) => {
              const chunks: Buffer[] = [];
              reply.on("data", (chunk: Buffer) => chunks.push(chunk));
              reply.on("end", () => resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
            },
          );
          sent.on("error", reject);
          sent.end();
        });
        expect([400, 401, 404], path).toContain(answer.status);
        expect(answer.text, path).not.toContain(SECRET);
      }
    }
    for (const token of [analysis, user]) {
      expect((await call(sandbox, "GET", `${address}/reports/a.txt`, { token })).text).toBe(SECRET);
    }
  });
});

describe("a rule for a folder", () => {
  it("lists the folder, without what is denied in it and what only starts with its name", async () => {
    for (const token of [analysis, user]) {
      const list = (query: string): Promise<Listing> => ok<Listing>(sandbox, "GET", `/files?${query}`, { token });
      const whole = await list("path=reports");
      expect(whole.folders).toContain("open");
      expect(whole.folders).not.toContain("closed");
      const found = await list("path=reports&search=.txt");
      expect(found.files.map(({ filename }) => filename)).toEqual(
        expect.arrayContaining(["reports/a.txt", "reports/open/c.txt"]),
      );
      expect(found.files.filter(({ filename }) => !isFree(filename))).toEqual([]);
      for (const path of [
        "",
        "/",
        "..",
        "reports/..",
        "report",
        "reports-old",
        "reports/closed",
        "reports/closed/deep",
      ]) {
        const answer = await call(sandbox, "GET", `/files?path=${encodeURIComponent(path)}`, { token });
        const names = answer.status === 200 ? JSON.stringify(answer.body.result) : "";
        // A name with ".." inside can be uploaded and not deleted, so it may still be in the folder.
        expect(names, path).not.toContain('"secret');
        expect(names, path).not.toContain("deep");
      }
    }
    await admin("DELETE", "/files", ["reports/"]);
    // The folder is gone, and names that start with its own are still there.
    const listing = await ok<Listing>(sandbox, "GET", "/files?path=reports", { token: analysis });
    expect([listing.files, listing.folders]).toEqual([[], []]);
  });

  it("lets nobody delete, move, copy or publish a folder with a file that is denied", async () => {
    const calls: readonly (readonly [method: string, path: string, body: unknown])[] = [
      ["DELETE", "/files", ["reports"]],
      ["DELETE", "/files", ["reports/"]],
      ["PUT", "/files", [{ from: "reports", to: "reports/new" }]],
      ["PUT", "/files/copy", [{ from: "reports", to: "reports/new" }]],
      ["PUT", "/files/permission", [{ file: "reports", public: true }]],
      // The place is denied, not the folder that is named.
      ["PUT", "/files/copy", [{ from: "reports/deep", to: "reports/closed" }]],
      ["PUT", "/files", [{ from: "reports/parts", to: "reports" }]],
    ];
    await put("reports/parts/closed/a.txt", "longer than the secret");
    const before = await others();
    expect(before.map(({ filename }) => filename)).toEqual(expect.arrayContaining(KEPT));
    for (const [method, path, body] of calls) {
      expect(await status(analysis, method, path, body), `${method} ${path} ${JSON.stringify(body)}`).toBe(401);
    }
    expect(await others()).toEqual(before);
    expect(await status(analysis, "DELETE", "/files", ["reports/open"])).toBe(200);
  });
});
