import type { LorawanQRCode } from "../../index.ts";
import { inputError, usageError } from "../kit/failures/command-error.ts";
import { isEui, parseCode, plainEui } from "./codes.ts";

/** A device to make, or why its row cannot be used. */
export interface Candidate {
  readonly row: number;
  readonly dev_eui: string;
  readonly name: string;
  readonly description?: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly problem?: string;
}

export interface FleetOptions {
  /** Column of the file to field of the device. */
  readonly map: ReadonlyMap<string, string>;
  /** Name of a device whose row has none; `{dev_eui}` and the other parts of the code are filled in. */
  readonly namePattern: string;
  readonly tags: Candidate["tags"];
  parse(text: string): LorawanQRCode;
}

const fields = ["qr", "dev_eui", "name", "description"] as const;
const isField = (text: string): boolean => fields.some((field) => field === text) || /^tag:./.test(text);

/** Names a column may have without `--map`. */
const usualNames: Readonly<Record<string, string>> = {
  qr: "qr",
  code: "qr",
  "qr code": "qr",
  dev_eui: "dev_eui",
  deveui: "dev_eui",
  eui: "dev_eui",
  "device eui": "dev_eui",
  serial: "dev_eui",
  name: "name",
  description: "description",
};

/** Reads `--map column=field`. */
export function columnMap(pairs: readonly { readonly key: string; readonly value: string }[]): Map<string, string> {
  for (const { key, value } of pairs) {
    if (isField(value)) continue;
    throw usageError(`--map cannot put the column ${JSON.stringify(key)} into "${value}".`, {
      why: `The fields are ${fields.join(", ")} and tag:<key>.`,
      next: "Write it like --map EUI=dev_eui or --map Site=tag:site.",
    });
  }
  return new Map(pairs.map(({ key, value }) => [key, value]));
}

function fieldOf(column: string, map: FleetOptions["map"]): string | undefined {
  const mapped = map.get(column);
  if (mapped !== undefined) return mapped;
  const name = column.trim().toLowerCase();
  return usualNames[name] ?? (/^tag:./.test(column.trim()) ? column.trim() : undefined);
}

function fill(pattern: string, parts: Readonly<Record<string, unknown>>): string {
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = parts[name];
    return typeof value === "string" ? value : whole;
  });
}

function candidateOf(values: ReadonlyMap<string, string>, row: number, options: FleetOptions): Candidate {
  const own = [...values]
    .filter(([field, value]) => field.startsWith("tag:") && value !== "")
    .map(([field, value]) => ({ key: field.slice(4), value }));
  const named = new Set(own.map(({ key }) => key));
  const tags = [...options.tags.filter(({ key }) => !named.has(key)), ...own];
  const description = values.get("description");
  const rest = { row, tags, ...(description ? { description } : {}) };
  try {
    const qr = values.get("qr") ?? "";
    const code = qr === "" ? undefined : parseCode({ text: qr, row }, options.parse);
    const dev_eui = plainEui(code?.dev_eui ?? values.get("dev_eui") ?? "");
    if (!isEui(dev_eui)) throw inputError(`The device EUI ${JSON.stringify(dev_eui)} has not 16 hexadecimal digits.`);
    const name = values.get("name") || fill(options.namePattern, { ...code, dev_eui });
    return { ...rest, dev_eui, name };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return {
      ...rest,
      dev_eui: values.get("dev_eui") ?? values.get("qr") ?? "",
      name: values.get("name") ?? "",
      problem,
    };
  }
}

/** A file without a header has one code or EUI on each line. */
function isHeader(cells: readonly string[], map: FleetOptions["map"]): boolean {
  return cells.some((cell) => fieldOf(cell, map) !== undefined);
}

/** Devices of a CSV file: columns by header, or one code or EUI on each line. */
export async function readFleet(text: string, options: FleetOptions): Promise<Candidate[]> {
  const { parse } = await import("csv-parse/sync");
  let records: { readonly info: { readonly lines: number }; readonly record: string[] }[];
  try {
    records = parse(text, {
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      bom: true,
      comment: "#",
      comment_no_infix: true,
    }) as unknown as typeof records;
  } catch (error) {
    throw inputError("The file is no CSV.", { why: error instanceof Error ? error.message : String(error) });
  }
  const [first, ...others] = records;
  if (first === undefined) throw inputError("The file holds no devices.");
  const hasHeader = isHeader(first.record, options.map);
  const header = hasHeader ? first.record.map((column) => fieldOf(column, options.map)) : [undefined];
  const missing = [...options.map.keys()].find((column) => !first.record.includes(column));
  if (missing !== undefined) {
    throw inputError(`The file has no column ${JSON.stringify(missing)}.`, {
      why: `Its first line has ${first.record.join(", ")}.`,
      next: "Correct --map.",
    });
  }
  if (hasHeader && !header.includes("qr") && !header.includes("dev_eui")) {
    throw inputError("The file has neither a column of QR codes nor one of EUIs.", {
      why: `Its first line has ${first.record.join(", ")}.`,
      next: "Name the column: --map <column>=qr or --map <column>=dev_eui.",
    });
  }
  return (hasHeader ? others : records).map(({ record, info }) => {
    const values = new Map<string, string>();
    for (const [at, cell] of record.entries()) {
      const field = hasHeader ? header[at] : at === 0 ? (/^lw:/i.test(cell) ? "qr" : "dev_eui") : undefined;
      if (field !== undefined) values.set(field, cell);
    }
    return candidateOf(values, info.lines, options);
  });
}
