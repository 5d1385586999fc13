// The start of the single file. The sandbox and analyses run Node with flags and scripts, which a single file does not take:
// so it unpacks itself into the user's cache once, with a copy of its Node that does, and runs the program with that.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { getRawAsset } from "node:sea";
import { deserialize } from "node:v8";
import { gunzipSync } from "node:zlib";
import { runChild } from "../../src/commands/kit/process/run-child.ts";
import { userFolders } from "../../src/commands/kit/settings/paths.ts";
import { makeFolder } from "../../src/lib/core/make-folder.ts";

// What Node looks for in itself: with 1 it runs the script in the file, with 0 it is an ordinary Node. In two parts,
// because the whole may be in the file only once, and this script is in it as well.
const FUSE = Buffer.from(["NODE_SEA_FUSE", "fce680ab2cc467b6e072b8b5df1996b2:1"].join("_"));

function unpack(folder) {
  for (const [path, mode, bytes] of deserialize(gunzipSync(Buffer.from(getRawAsset("archive"))))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes, { mode });
  }
  const node = readFileSync(process.execPath);
  const at = node.indexOf(FUSE);
  if (at < 0) throw new Error(`${process.execPath} is not a single-file program.`);
  node.write("0", at + FUSE.length - 1);
  writeFileSync(join(folder, "node"), node);
  chmodSync(join(folder, "node"), 0o700);
}

/** The folder with the unpacked program. Only the user may write there, because what is in it is run. */
function unpacked() {
  const parent = join(userFolders(process.env).cache, "program");
  const folder = join(parent, ARCHIVE_ID);
  if (existsSync(folder)) return folder;
  makeFolder(parent, 0o700);
  const own = mkdtempSync(`${folder}-`);
  try {
    unpack(own);
    renameSync(own, folder);
  } catch (error) {
    rmSync(own, { recursive: true, force: true });
    // Another start may have been faster.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

const folder = unpacked();
runChild({
  command: [join(folder, "node"), join(folder, "node_modules", "iotdeck", "bin", "iot.js"), ...process.argv.slice(2)],
  env: process.env,
  cwd: process.cwd(),
  isOnTerminal: process.stdin.isTTY === true,
  next: `Remove ${folder} and run the same command again.`,
}).then((code) => {
  process.exitCode = code;
});
