import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Account, type Region, Resources } from "../../../src/index.ts";
import { fileUrl, uploadPath } from "../../../src/lib/files/file-url.ts";
import { uploadFile } from "../../../src/lib/utils/upload-file.ts";
import { failureOf, token } from "../../helpers/fault-client.ts";
import { type FaultServer, ok, startFaultServer } from "../../helpers/fault-server.ts";

describe("Utils.uploadFile", () => {
  let server: FaultServer;
  beforeEach(async () => {
    server = await startFaultServer((exchange) =>
      ok(exchange.request.method === "GET" ? { info: { id: "p1" } } : "uploaded")(exchange),
    );
  });
  afterEach(() => server.close());

  const region = () => ({ api: server.url, sse: server.url });

  it.each([
    ["nothing", undefined, true],
    ["true", true, true],
    ["false", false, false],
  ])("sends public as it was said: %s", async (_name, said, sent) => {
    const account = new Account({ token, region: region() });
    const more = said === undefined ? {} : { public: said };
    const url = await uploadFile(account, { filename: "a b.txt", file_base64: "YQ==", path: "/dir/sub", ...more });
    expect(url).toBe(`${server.url}/file/p1/dir/sub/a b.txt`);
    expect(JSON.parse(server.requests[1]?.body ?? "")).toEqual([
      { filename: "dir/sub/a b.txt", file: "YQ==", public: sent },
    ]);
  });

  it("encodes only what would name another file", async () => {
    const resources = new Resources({ token, region: region() });
    const url = await uploadFile(resources, { filename: "ü 1%?#\\.txt", file_base64: "YQ==" });
    expect(url).toBe(`${server.url}/file/p1/ü 1%25%3F%23%5C.txt`);
  });

  it("rejects an invalid resource and an invalid file", async () => {
    const file = { filename: "a", file_base64: "YQ==" };
    const notOne = await failureOf(uploadFile({} as Resources, file));
    expect(notOne.message).toBe("The parameter 'resource' must be an instance of a TagoIO Resource.");
    const resources = new Resources({ token, region: region() });
    expect((await failureOf(uploadFile(resources, { ...file, filename: "" }))).message).toContain("filename");
    expect((await failureOf(uploadFile(resources, undefined as unknown as typeof file))).message).toContain("filename");
    const { file_base64: _gone, ...without } = file;
    expect((await failureOf(uploadFile(resources, without as typeof file))).message).toContain("file_base64");
    expect(server.requests).toHaveLength(0);
    const noSlash = await failureOf(uploadFile(resources, { ...file, path: "dir" }));
    expect(noSlash.message).toBe("Invalid file path: dir");
    expect(server.requests.map((request) => request.method)).toEqual(["GET"]);
  });
});

describe("the URL of a file", () => {
  it.each<[string, Region | undefined, string]>([
    ["us-e1", "us-e1", "https://api.tago.io"],
    ["eu-w1", "eu-w1", "https://api.eu-w1.tago.io"],
    ["a deploy project", { tdeploy: "abc" }, "https://api.abc.tagoio.net"],
    ["own addresses", { api: "http://127.0.0.1:9", sse: "" }, "http://127.0.0.1:9"],
  ])("is one of the region: %s", (_name, region, origin) => {
    expect(fileUrl(region, "p1", "a/b?c#d.txt")).toBe(`${origin}/file/p1/a/b%3Fc%23d.txt`);
  });

  it.each([
    [undefined, "/a.txt", "a.txt"],
    ["/", "a.txt", "a.txt"],
    ["/dir/", "a.txt", "dir/a.txt"],
    ["dir/x", "a.txt", "dir/x/a.txt"],
    ["/dir/../x/", "a.txt", "x/a.txt"],
    ["/dir//./x", "../a.txt", "dir/a.txt"],
    [undefined, "x/../a.txt", "a.txt"],
    ["/../x", "a.txt", "../x/a.txt"],
  ])("joins %s and %s", (folder, name, path) => {
    expect(uploadPath(folder, name)).toBe(path);
  });
});
