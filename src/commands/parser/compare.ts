import { isObject, type JsonObject } from "../kit/files/files.ts";
import { type Difference, differences } from "../kit/folders/differences.ts";
import { errorIn } from "./cases.ts";
import { type Decoding, problemText } from "./decoder.ts";

/** Fields that parsers often make up from the time. They count only where the expected record has them. */
const GENERATED = ["group", "serie", "time"];

/** Where a result is not what a case expects; nothing when it is. */
export function compareOutputs(expected: unknown, decoding: Decoding): readonly Difference[] {
  const { records, problem } = decoding;
  const error = errorIn(expected);
  if (problem !== undefined && error !== undefined && problem.includes(error)) return [];
  if (problem !== undefined)
    return [{ path: "error", ...(error === undefined ? {} : { old: error }), new: problemText(decoding) }];
  if (error !== undefined) return [{ path: "error", old: error }];
  const wanted: readonly unknown[] = Array.isArray(expected) ? expected : [];
  return differences(
    wanted,
    records.map((record, index) =>
      without(
        record,
        GENERATED.filter((key) => !hasKey(wanted[index], key)),
      ),
    ),
  );
}

const hasKey = (value: unknown, key: string): boolean => isObject(value) && key in value;

function without(record: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}

/** What a case will expect: the result, without generated fields that do not come from its payload. */
export function expectedFrom({ records }: Decoding, body: unknown): unknown {
  const sent = JSON.stringify(body);
  return records.map((record) =>
    without(
      record,
      GENERATED.filter((key) => key in record && !sent.includes(JSON.stringify(record[key]))),
    ),
  );
}

const SHOWN = 3;

/** The first differences in one line: `[1].value: 21.5 -> 22`. */
export function differenceText(found: readonly Difference[]): string {
  const side = (value: unknown): string => (value === undefined ? "(none)" : (JSON.stringify(value) ?? "(none)"));
  const first = found.slice(0, SHOWN).map((one) => `${one.path}: ${side(one.old)} -> ${side(one.new)}`);
  const more = found.length - first.length;
  return `${first.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
