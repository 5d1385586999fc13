import { runHere } from "./in-process.ts";

interface Held {
  readonly variable: string;
  readonly value?: unknown;
  readonly unit?: string;
  readonly time: string;
  readonly group: string;
  readonly location?: unknown;
  readonly metadata?: unknown;
}

/** What the records of a device say, one text each, in an order that depends on nothing else. */
export async function contentOf(env: Readonly<Record<string, string>>, id: string): Promise<string[]> {
  const fields = "variable,value,unit,time,group,location,metadata";
  const args = ["device", "data", "list", id, "--all", "--sort", "time", "--fields", fields, "--json", "--yes"];
  const { stdout, stderr, code } = await runHere(args, { env });
  if (code !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as Held[]).map((record) => JSON.stringify(record)).sort();
}

/** Records of every form a device can hold, a minute apart, the last one at `toMs`. */
export function variedRecords(toMs: number, amount: number): object[] {
  const values = [21.5, "21.5", true, "true", -0.001, "tab\there \u001b[31m ü 漢", "", null];
  return Array.from({ length: amount }, (_, n) => ({
    variable: ["temperature", "state", "Door"][n % 3],
    value: values[n % values.length],
    time: new Date(toMs - (amount - 1 - n) * 60_000).toISOString(),
    ...(n % 2 === 0 ? { unit: "°C" } : {}),
    ...(n % 5 === 0 ? { location: { lat: 52.5 + n / 1_000, lng: 13.4 } } : {}),
    ...(n % 7 === 0 ? { metadata: { b: [1, { a: null }], a: "x" } } : {}),
  }));
}
