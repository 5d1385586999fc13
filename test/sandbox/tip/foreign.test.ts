import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { hostAndPort, serial, type TipSandbox, tipSandbox } from "../../helpers/tip-sandbox.ts";

const run = promisify(execFile);
const has = (program: string): boolean => spawnSync(program, ["version"]).error === undefined;

let here: TipSandbox;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  // Connections end by themselves: openssl waits for that.
  here = await tipSandbox({ tip: true, tls: true });
  const variables = Object.entries(here.tip).map(([name, value]) => [`IOT_TIP_${name.toUpperCase()}`, value]);
  const { host, port } = hostAndPort(here.tip.mqtt);
  const { hash } = here.tip;
  const credentials = { HOST: host, PORT: String(port), USERNAME: hash.slice(0, 8), PASSWORD: hash.slice(8) };
  env = { ...process.env, ...Object.fromEntries(variables), ...credentials, CA: here.sandbox.certificate?.file };
});
afterAll(() => here.sandbox.close());

const broker = "-h $HOST -p $PORT -u $USERNAME -P $PASSWORD";
const topics = `-t '$tip/${serial}/push' -e '$tip/${serial}/ack'`;

const lines = [
  [
    "openssl",
    `(printf 'PUSH|%s|${serial}|[a:=1]\\n' "$IOT_TIP_HASH"; sleep 1) | openssl s_client -quiet -connect $IOT_TIP_TLS -CAfile "$CA" -verify_return_error`,
    /^ACK\|OK\|1\nACK\|ERR\|(?:keep_alive_timeout|ttl_expired)\n$/,
  ],
  [
    "curl",
    `curl -sSI --cacert "$CA" "$IOT_TIP_HTTP/v1/tip/${serial}" -H "Authorization: TagoTiP $IOT_TIP_HASH"`,
    /^HTTP\/1\.1 204 /,
  ],
  ["mosquitto_rr", `mosquitto_rr ${broker} ${topics} -m '[a:=1]' -W 5`, /^OK\|1\n$/],
  ["mosquitto_rr", `mosquitto_rr -V mqttv311 ${broker} ${topics} -m '[a:=1]' -W 5`, /^OK\|1\n$/],
] as const;

// Those that this machine has.
it.each(lines.filter(([program]) => has(program)))(
  "%s speaks with the sandbox, unchanged: %s",
  { tags: ["slow", "posix"] },
  async (_, line, expected) => {
    expect((await run("bash", ["-c", line], { env })).stdout).toMatch(expected);
  },
);
