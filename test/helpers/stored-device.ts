import type { SandboxUnderTest } from "./sandbox.ts";

export interface StoredRow {
  readonly variable: string;
  readonly value?: unknown;
  readonly time: string;
  readonly [member: string]: unknown;
}

/** An immutable device with these records, stored as the platform stores them. Resolves to its id. */
export async function storedDevice(
  { env, iot, sandbox }: SandboxUnderTest,
  name: string,
  rows: readonly StoredRow[],
  tag = "bulk=no",
): Promise<string> {
  const args = ["device", "create", "--name", name, "--type", "immutable", "--chunk-period", "month"];
  const made = await iot([...args, "--chunk-retention", "36", "--tag", tag, "-o", "id"], { env });
  const id = made.stdout.trim();
  const token = (await iot(["device", "token", "list", id, "-o", "id", "--reveal"], { env })).stdout.trim();
  for (let from = 0; from < rows.length; from += 1_000) {
    const body = JSON.stringify(rows.slice(from, from + 1_000));
    const headers = { token, "content-type": "application/json" };
    const reply = await fetch(`${sandbox.url}/data`, { method: "POST", headers, body });
    if (!reply.ok) throw new Error(await reply.text());
  }
  return id;
}
