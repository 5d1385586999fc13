import type { LorawanQRCode } from "../../index.ts";
import type { CommandContext } from "../kit/context.ts";
import { checkDeviceName } from "../kit/devices/fleet-checks.ts";
import { inputError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { type ColumnMap, columnMap, type ImportInput, type MapInput, openInputRows } from "../kit/rows/import-flags.ts";
import type { CsvForm, FileRow, RowFile } from "../kit/rows/reader.ts";
import { digest } from "../kit/state/digest.ts";
import { fileOfCodes, isEui, parseCode, plainEui } from "./codes.ts";

/** A device to make. */
export interface DeviceToAdd {
  readonly row: number;
  readonly dev_eui: string;
  readonly name: string;
  readonly description?: string;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}

interface FleetOptions {
  /** Column of the file to field of the device. */
  readonly map: ColumnMap;
  /** Name of a device whose row has none; `{dev_eui}` and the other parts of the code are filled in. */
  readonly namePattern: string;
  readonly tags: DeviceToAdd["tags"];
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

/** `--map column=field`. */
export const lorawanFleet = (input: MapInput): ColumnMap =>
  columnMap(input, isField, `Map a column to one of ${fields.join(", ")} or tag:<key>.`);

/** Whether a column is read without `--map`. */
export const isFleetColumn = (column: string): boolean => fieldOf(column, new Map()) !== undefined;

function fieldOf(column: string, map: ColumnMap): string | undefined {
  const field = map.get(column);
  if (field !== undefined) return field === "" ? undefined : field;
  const name = column.trim().toLowerCase();
  return usualNames[name] ?? (/^tag:./.test(column.trim()) ? column.trim() : undefined);
}

function fill(pattern: string, parts: Readonly<Record<string, unknown>>): string {
  return pattern.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = parts[name];
    return typeof value === "string" ? value : whole;
  });
}

/** The device of a row. @throws CommandError for one that is no device */
export function candidateOf({ row, value }: FileRow, options: FleetOptions): DeviceToAdd {
  const wrong = (why: string, column?: string): Error =>
    inputError(`Row ${row} is not a valid device.`, {
      row,
      ...(column === undefined ? {} : { column }),
      why,
      next: "Fix the row, or skip it with --skip-invalid.",
    });
  if (!isObject(value)) throw wrong("It is not an object.");
  const values = new Map<string, string>();
  for (const [column, cell] of Object.entries(value)) {
    const field = fieldOf(column, options.map);
    if (field !== undefined && cell !== undefined && cell !== null && cell !== "")
      values.set(field, String(cell).trim());
  }
  const own = [...values]
    .filter(([field]) => field.startsWith("tag:"))
    .map(([field, text]) => ({ key: field.slice(4), value: text }));
  const named = new Set(own.map(({ key }) => key));
  const tags = [...options.tags.filter(({ key }) => !named.has(key)), ...own];
  const text = values.get("qr") ?? "";
  const code = /^lw:/i.test(text) ? parseCode({ text, row }, options.parse) : undefined;
  const dev_eui = plainEui(code?.dev_eui ?? values.get("dev_eui") ?? text);
  if (!isEui(dev_eui)) throw wrong(`The device EUI ${JSON.stringify(dev_eui)} must have 16 hexadecimal digits.`);
  const name = values.get("name") || fill(options.namePattern, { ...code, dev_eui });
  checkDeviceName(name, wrong);
  const description = values.get("description");
  return { row, dev_eui, name, tags, ...(description === undefined ? {} : { description }) };
}

/** A file has columns by its header, or one code or EUI on each line. */
const codeForm = (map: ColumnMap): CsvForm => ({
  names: ["code"],
  header(first) {
    const why = `Its first line has ${first.join(", ")}.`;
    const missing = [...map.keys()].find((column) => !first.includes(column));
    if (missing !== undefined)
      throw inputError(`The file has no column ${JSON.stringify(missing)}.`, { why, next: "Fix --map." });
    const found = first.map((column) => fieldOf(column, map));
    if (found.every((field) => field === undefined)) return undefined;
    if (found.includes("qr") || found.includes("dev_eui")) return first;
    throw inputError("The file has no column with QR codes or EUIs.", {
      why,
      next: "Map the column: --map <column>=qr or --map <column>=dev_eui.",
    });
  },
});

/** The rows of the words: codes and EUIs of the command line, and files. */
export async function openCodes(
  ctx: CommandContext,
  input: ImportInput,
  words: readonly string[],
  map: ColumnMap,
): Promise<RowFile> {
  const form = codeForm(map);
  const files: (RowFile | string)[] = [];
  for (const word of words) {
    files.push(fileOfCodes(word) === undefined ? word : await openInputRows(ctx, input, word, form));
  }
  const [only] = files;
  if (files.length === 1 && typeof only === "object") return only;
  const opened = files.filter((file) => typeof file === "object");
  return {
    place: words.join(" "),
    path: files.map((file) => (typeof file === "string" ? file : file.path)).join("\n"),
    format: "csv",
    isCopy: opened.some(({ isCopy }) => isCopy),
    async *rows() {
      let row = 0;
      for (const file of files) {
        for await (const one of typeof file === "string" ? [{ row, value: { code: file } }] : file.rows()) {
          row += 1;
          yield { ...one, row };
        }
      }
    },
    async content(rest) {
      const hashes = await Promise.all(opened.map((file) => file.content([])));
      return hashes.includes(undefined) ? undefined : digest([rest, files.length, hashes]);
    },
    close() {
      for (const file of opened) file.close();
    },
  };
}
