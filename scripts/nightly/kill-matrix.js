// Kills commands that change something at random moments, resumes them, and proves that the end is that of a run nobody
// disturbed: nothing lost, doubled or half-written. Migrations of dashboards have their own: bench/kills.js.
// Usage: node scripts/nightly/kill-matrix.js [kills] [name ...]   (needs a build: npm run build)
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createSandbox } from "../../dist/sandbox.js";

const cli = process.env["IOT_TEST_CLI"] ?? fileURLToPath(new URL("../../dist/cli.cjs", import.meta.url));
const examples = fileURLToPath(new URL("../../examples/", import.meta.url));
const [kills = 20, ...only] = process.argv.slice(2);

const range = (count, make) => Array.from({ length: count }, (_, n) => make(n));
const at = (n) => new Date(Date.UTC(2026, 1, 1) + n * 1_000).toISOString();
const treeOf = (folder) =>
  readdirSync(folder, { recursive: true })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort()
    .map(
      (name) =>
        `${name} ${createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex")}`,
    );

/** Runs the program in the place of a scenario. With a time, it is killed after it. */
function run(place, args, killAfterMs) {
  const child = spawn(process.execPath, [cli, ...args], {
    env: place.env,
    cwd: place.cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  return new Promise((resolve) =>
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr });
    }),
  );
}

async function json(place, ...args) {
  const { code, stdout, stderr } = await run(place, [...args, "--json"]);
  if (code !== 0) throw new Error(`iot ${args.join(" ")} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

const newDevice = async (place) => (await json(place, "device", "create", "--name", "Target", "--type", "mutable")).id;

/** Each makes what it needs, names its command, and says what the end looks like. */
const scenarios = {
  "device data import": async (place) => {
    const id = await newDevice(place);
    writeFileSync(
      join(place.cwd, "in.csv"),
      `time,variable,value\n${range(6_000, (n) => `${at(n)},t,${n}\n`).join("")}`,
    );
    return {
      args: ["device", "data", "import", id, "--input", "in.csv"],
      resume: ["--resume"],
      end: async () =>
        (await json(place, "device", "data", "list", id, "--limit", "9999", "--sort", "time")).map(
          ({ value }) => value,
        ),
    };
  },
  "device data export": async (place) => {
    const id = await newDevice(place);
    writeFileSync(
      join(place.cwd, "in.csv"),
      `time,variable,value\n${range(9_000, (n) => `${at(n)},t,${n}\n`).join("")}`,
    );
    await json(place, "device", "data", "import", id, "--input", "in.csv");
    const out = join(place.cwd, "out");
    mkdirSync(out);
    const args = ["device", "data", "export", id, "--out", "out/all.csv", "--yes", "--fields", "time,variable,value"];
    return { args, resume: ["--resume"], end: () => treeOf(out) };
  },
  "device import": async (place) => {
    writeFileSync(
      join(place.cwd, "fleet.csv"),
      `name,tag.site,param.rate\n${range(40, (n) => `Fleet ${n},7,5\n`).join("")}`,
    );
    return {
      args: ["device", "import", "fleet.csv"],
      resume: ["--resume"],
      async end() {
        const devices = await json(place, "device", "list", "--name", "Fleet *", "--all", "--fields", "id,name,tags");
        return devices.map(({ name, tags }) => `${name} ${JSON.stringify(tags)}`).sort();
      },
    };
  },
  "entity data import": async (place) => {
    const { id } = await json(place, "entity", "create", "--name", "Rows", "--field", "n:int");
    writeFileSync(join(place.cwd, "rows.ndjson"), range(3_000, (n) => `{"n":${n}}\n`).join(""));
    return {
      args: ["entity", "data", "import", id, "rows.ndjson"],
      resume: ["--resume"],
      end: async () =>
        (await run(place, ["entity", "data", "export", id, "--format", "csv", "--fields", "n"])).stdout
          .split("\n")
          .sort(),
    };
  },
  "file upload": async (place) => {
    writeFileSync(join(place.cwd, "big.bin"), Buffer.alloc(24 * 1024 * 1024, "some bytes"));
    return {
      args: ["file", "upload", "big.bin", "--path", "big/big.bin", "--chunk-size", "5MiB", "--yes"],
      resume: ["--resume"],
      end: async () => (await json(place, "file", "list", "big")).map(({ filename, size }) => [filename, size]),
    };
  },
  "file sync": async (place) => {
    const up = join(place.cwd, "up");
    mkdirSync(up);
    for (const n of range(25, Number)) writeFileSync(join(up, `f${n}`), `file ${n} `.repeat(2_000));
    return {
      args: ["file", "sync", "up", "files:/up", "--yes"],
      resume: ["--resume"],
      async end() {
        rmSync(join(place.cwd, "down"), { recursive: true, force: true });
        await json(place, "file", "sync", "files:/up", "down");
        return treeOf(join(place.cwd, "down"));
      },
    };
  },
  "dashboard apply": async (place) => {
    const board = (await json(place, "dashboard", "list", "--all")).find(({ label }) => label === "Plant, old widgets");
    await run(place, ["dashboard", "export", board.id, "--out", "d"]);
    for (const name of readdirSync(join(place.cwd, "d"), { recursive: true }).filter((file) =>
      /widgets.*json$/.test(file),
    )) {
      const file = join(place.cwd, "d", name);
      const widget = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, `${JSON.stringify({ ...widget, label: `${widget.label}, new` }, null, 2)}\n`);
    }
    return {
      args: ["dashboard", "apply", "d", "--yes"],
      resume: ["--yes"],
      end: async () => (await json(place, "widget", "list", "--dashboard", board.id)).map(({ label }) => label),
    };
  },
  "widget convert --in-place": async (place) => {
    const folder = join(place.cwd, "in");
    mkdirSync(folder);
    for (const n of range(30, Number)) {
      writeFileSync(join(folder, `w${n}.json`), readFileSync(join(examples, "legacy-widgets.json")));
    }
    return {
      args: ["widget", "convert", "in", "--in-place", "--yes", "-o", "id"],
      resume: ["--resume"],
      // A second copy of the old file is made where the kill came between the copy and the conversion.
      end: () => treeOf(folder).filter((line) => !/\.bak\d /.test(line)),
    };
  },
  "config set": async (place) => ({
    args: ["config", "set", "output", "json"],
    resume: [],
    end: async () => [await json(place, "config", "get", "output"), ...readdirSync(place.env["IOT_CONFIG_DIR"]).sort()],
  }),
};

async function inPlace(use) {
  const sandbox = await createSandbox({ ephemeral: true });
  const cwd = mkdtempSync(join(tmpdir(), "iot-matrix-"));
  const config = mkdtempSync(join(tmpdir(), "iot-matrix-"));
  const { PATH } = process.env;
  const env = {
    PATH,
    HOME: config,
    IOT_CONFIG_DIR: config,
    IOT_API_URL: sandbox.url,
    IOT_TOKEN: sandbox.tokens.profile,
  };
  try {
    return await use({ cwd, env });
  } finally {
    await sandbox.close();
    for (const folder of [cwd, config]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Goes on until it ends by itself. Nothing is known of a run that was killed before it began: `--again` starts it. */
async function finish(place, { args, resume }) {
  let last = await run(place, [...args, ...resume]);
  if (last.code === 2 && last.stderr.includes("--again")) last = await run(place, [...args, "--again"]);
  return last;
}

let failed = 0;
for (const [name, make] of Object.entries(scenarios).filter(([each]) => only.length === 0 || only.includes(each))) {
  const whole = await inPlace(async (place) => {
    const scenario = await make(place);
    const startMs = performance.now();
    const { code, stderr } = await run(place, scenario.args);
    if (code !== 0) throw new Error(`${name} ended with ${code} although nobody disturbed it: ${stderr}`);
    return { ms: performance.now() - startMs, end: JSON.stringify(await scenario.end()) };
  });
  let problems = 0;
  for (let round = 0; round < Number(kills); round += 1) {
    const problem = await inPlace(async (place) => {
      const scenario = await make(place);
      await run(place, scenario.args, Math.random() * whole.ms);
      const { code, stderr } = await finish(place, scenario);
      if (code !== 0) return `the next run ended with ${code}: ${stderr}`;
      const end = JSON.stringify(await scenario.end());
      return end === whole.end ? undefined : `the end is another one: ${end.slice(0, 300)}`;
    });
    if (problem === undefined) continue;
    problems += 1;
    console.error(`${name}, kill ${round + 1}: ${problem}`);
  }
  failed += problems;
  console.log(`${name}: ${kills} kills, ${problems} problems`);
}
process.exitCode = failed === 0 ? 0 : 1;
