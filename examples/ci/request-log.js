import { mkdirSync, writeFileSync } from "node:fs";

/** After all tests: writes the last 1,000 requests of the sandbox, which contain no tokens, to logs/requests.json. */
export async function teardown() {
  const { TAGOIO_API, IOT_SANDBOX_SECRET } = process.env;
  if (IOT_SANDBOX_SECRET === undefined) return;
  const headers = { authorization: `Bearer ${IOT_SANDBOX_SECRET}` };
  const response = await fetch(`${TAGOIO_API}/__sandbox/requests`, { headers });
  mkdirSync("logs", { recursive: true });
  writeFileSync("logs/requests.json", await response.text());
}
