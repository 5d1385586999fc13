import { createHash } from "node:crypto";
import { base64, deepEqual, equal, has, match, ok, refused } from "../kit.js";

export async function run(row, world) {
  const { resources, url, profileId } = world;
  const { files } = resources;
  const link = (path) => `${url}/file/${profileId}/${path}`;
  const fetched = async (address) => {
    const reply = await fetch(address, { redirect: "follow" });
    return {
      status: reply.status,
      bytes: Buffer.from(await reply.arrayBuffer()),
      type: reply.headers.get("content-type"),
    };
  };

  await row("files.uploadBase64", async () => {
    match(
      await files.uploadBase64([
        { filename: "/compat/a.txt", file: base64("first"), public: true },
        { filename: "compat/b.txt", file: base64("second"), public: false },
        { filename: "compat/deep/ü c.txt", file: base64("third"), public: true },
      ]),
      /upload/i,
    );
  });
  await row("files.list", async () => {
    const { files: found, folders, usage, total } = await files.list({ path: "/compat/" });
    deepEqual(found.map(({ filename, size, public: isPublic }) => [filename, size, isPublic]).sort(), [
      ["compat/a.txt", 5, true],
      ["compat/b.txt", 6, false],
    ]);
    ok(found.every(({ last_modified }) => last_modified instanceof Date));
    deepEqual(folders, ["deep"]);
    ok(usage <= total);
  });
  await row("files.list by pages", async () => {
    const seen = [];
    let paginationToken;
    do {
      const page = await files.list({ path: "/compat/", quantity: 1, ...(paginationToken && { paginationToken }) });
      seen.push(...page.files.map(({ filename }) => filename), ...page.folders);
      paginationToken = page.pagination_token;
    } while (paginationToken && seen.length < 10);
    deepEqual(seen.sort(), ["compat/a.txt", "compat/b.txt", "deep"]);
  });
  await row("public links", async () => {
    const { status, bytes, type } = await fetched(link("compat/a.txt"));
    equal(status, 200);
    equal(bytes.toString(), "first");
    match(type, /text\/plain/);
    equal((await fetched(link("compat/deep/%C3%BC%20c.txt"))).bytes.toString(), "third");
  });
  await row("private links", async () => {
    equal((await fetched(link("compat/b.txt"))).status, 401);
    equal((await fetched(`${link("compat/b.txt")}?token=${world.tokens.profile}`)).bytes.toString(), "second");
    equal((await fetched(link("compat/none.txt"))).status, 404);
  });
  await row("files.getFileURLSigned", async () => {
    // The peers take only addresses of the vendor's hosts, and use their path alone.
    const signed = await files.getFileURLSigned(`https://api.tago.io/file/${profileId}/compat/b.txt`);
    equal((await fetched(signed)).bytes.toString(), "second");
  });
  await row("files.getFileMD5", async () => {
    const sum = await files.getFileMD5(`https://api.tago.io/file/${profileId}/compat/b.txt`);
    equal(sum, createHash("md5").update("second").digest("hex"));
  });
  await row("files.checkPermission, changePermission", async () => {
    deepEqual(await files.checkPermission("compat/b.txt"), { public: false });
    equal(await files.changePermission([{ file: "compat/b.txt", public: true }]), "Successfully Updated");
    deepEqual(await files.checkPermission("compat/b.txt"), { public: true });
    equal((await fetched(link("compat/b.txt"))).status, 200);
  });
  await row("files.move", async () => {
    equal(await files.move([{ from: "compat/b.txt", to: "compat/moved.txt" }]), "Successfully Updated");
    equal((await fetched(link("compat/b.txt"))).status, 404);
    equal((await fetched(link("compat/moved.txt"))).bytes.toString(), "second");
  });
  await row("files.copy", async () => {
    equal(await files.copy([{ from: "compat/a.txt", to: "compat/copied.txt" }]), "Successfully Updated");
    equal((await fetched(link("compat/copied.txt"))).bytes.toString(), "first");
    equal((await fetched(link("compat/a.txt"))).status, 200);
  });
  await row("files.uploadFile, 12 MiB in two parts", async () => {
    const content = Buffer.alloc(12 * 1024 * 1024, (_, index) => index % 251);
    for (let index = 0; index < content.length; index += 1) content[index] = (index * 7 + (index >> 8)) % 251;
    const seen = [];
    const { file } = await files.uploadFile(content, "compat/big.bin", {
      isPublic: true,
      contentType: "application/x-compat",
      onProgress: (percentage) => seen.push(percentage),
    });
    match(file, /\/file\/[0-9a-f]{24}\/compat\/big\.bin$/);
    const { bytes, type } = await fetched(link("compat/big.bin"));
    ok(bytes.equals(content), "the file came back different");
    match(type, /application\/x-compat/);
    ok(seen.length > 0);
  });
  await row("files.uploadFile, one small part", async () => {
    const { file } = await files.uploadFile(Buffer.from("tiny"), "compat/tiny.txt", { isPublic: true });
    match(file, /tiny\.txt$/);
    equal((await fetched(link("compat/tiny.txt"))).bytes.toString(), "tiny");
  });
  await row("Utils.uploadFile", async () => {
    const address = await world.sdk.Utils.uploadFile(resources, {
      filename: "note.txt",
      file_base64: base64("a note"),
      public: true,
      path: "/compat/notes",
    });
    match(address, new RegExp(`/file/${profileId}/compat/notes/note.txt$`));
    equal((await fetched(link("compat/notes/note.txt"))).bytes.toString(), "a note");
  });
  await row("files.delete of a file and of a folder", async () => {
    equal(await files.delete(["compat/a.txt"]), "Successfully Removed");
    equal((await fetched(link("compat/a.txt"))).status, 404);
    equal((await fetched(link("compat/copied.txt"))).status, 200);
    await files.delete(["compat"]);
    const { files: found, folders } = await files.list({ path: "/compat/" });
    deepEqual([found, folders], [[], []]);
  });
  await row("a file of the seed", async () => {
    const { folders } = await files.list();
    ok(folders.includes("logos") && folders.includes("reports"), JSON.stringify(folders));
    has(await files.list({ path: "/none/" }), { files: [], folders: [] });
    await refused(files.checkPermission("none.txt"), /can't be found|Not Found/i);
  });
}
