// Measures what S3 costs an export beside a folder, in one process, against the built program and sandbox. The server is the small one
// of the tests in a process of its own, or moto_server with --moto.
//   node bench/s3.js [--devices 300] [--records 1000] [--runs 5] [--moto] [--out FILE]   (needs: npm run build, redis-server)
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { median, queuePlace } from "./queue-place.js";

const self = fileURLToPath(import.meta.url);
const root = dirname(dirname(self));
const MOTO_PORT = 5077;

/** The server of the tests, in this process. */
async function serve(file) {
  const { s3Server } = await import(pathToFileURL(file).href);
  const { env } = await s3Server("lake");
  process.send(env);
}

async function startSmall(folder) {
  const outfile = join(folder, "server.mjs");
  const entryPoints = [join(root, "test/helpers/s3-server.ts")];
  await build({ entryPoints, outfile, bundle: true, platform: "node", format: "esm", logLevel: "silent" });
  const child = fork(self, [], { env: { ...process.env, BENCH_S3: outfile } });
  const [env] = await once(child, "message");
  return { env, child };
}

async function startMoto() {
  const child = spawn("moto_server", ["-H", "127.0.0.1", "-p", String(MOTO_PORT)], { stdio: "ignore" });
  const url = `http://127.0.0.1:${MOTO_PORT}`;
  while (!(await fetch(url).catch(() => undefined))) await new Promise((resolve) => setTimeout(resolve, 100));
  const credentials = { accessKeyId: "bench", secretAccessKey: "bench" };
  const { S3Client, CreateBucketCommand } = createRequire(self)("@aws-sdk/client-s3");
  const client = new S3Client({ endpoint: url, region: "us-east-1", forcePathStyle: true, credentials });
  await client.send(new CreateBucketCommand({ Bucket: "lake" }));
  const env = { AWS_ENDPOINT_URL: url, AWS_ACCESS_KEY_ID: "bench", AWS_SECRET_ACCESS_KEY: "bench" };
  return { env, child };
}

async function run() {
  const { values } = parseArgs({
    options: {
      devices: { type: "string", default: "300" },
      records: { type: "string", default: "1000" },
      runs: { type: "string", default: "5" },
      moto: { type: "boolean", default: false },
      out: { type: "string" },
    },
  });
  const [devices, records, runs] = [values.devices, values.records, values.runs].map(Number);
  const folder = mkdtempSync(join(tmpdir(), "iot-s3-"));
  const { env, child } = await (values.moto ? startMoto() : startSmall(folder));
  const place = await queuePlace(devices, records, env);
  try {
    const result = { node: process.versions.node, devices, records, moto: values.moto, shapes: {} };
    for (const [shape, flags] of Object.entries({ "a part for each device": [], "4 parts": ["--parts", "4"] })) {
      const seconds = { folder: [], s3: [] };
      for (let n = 0; n <= runs; n += 1) {
        const name = `${shape.replaceAll(" ", "-")}-${n}`;
        // In turn, so that both meet the same machine. The first pair warms it up.
        const local = (await place.iot(...place.exportTo(name, ...flags)).ended).seconds;
        const away = (await place.iot(...place.exportTo(`s3://lake/${name}`, ...flags)).ended).seconds;
        if (n === 0) continue;
        seconds.folder.push(local);
        seconds.s3.push(away);
      }
      const [local, away] = [median(seconds.folder), median(seconds.s3)];
      result.shapes[shape] = { folderSeconds: local, s3Seconds: away, overhead: away / local - 1 };
    }
    const text = JSON.stringify(result, null, 2);
    console.log(text);
    if (values.out !== undefined) writeFileSync(values.out, `${text}\n`);
  } finally {
    await place.close();
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.env.BENCH_S3) await serve(process.env.BENCH_S3);
else await run();
