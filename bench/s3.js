// Measures what S3 costs an export beside a folder, in one process, against the built program and sandbox. The server is the small one
// of the tests in a process of its own, or moto_server with --moto.
//   node bench/s3.js [--devices 300] [--records 1000] [--runs 5] [--moto] [--out FILE]   (needs: npm run build, redis-server)
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { median, queuePlace } from "./queue-place.js";
import { startS3 } from "./s3-place.js";

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
  const { env, child } = await startS3(values.moto, folder);
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

await run();
