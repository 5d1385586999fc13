import type { DrawData } from "../../lib/widgets/draw/index.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { inputError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import { deviceFinder } from "../kit/finders/device.ts";
import { lookUp, resolveId } from "../kit/resource/resolve-id.ts";

const MAX_RECORDS = 1_000;

/** The data that the widgets show: of a file or a device; undefined for sample values. */
export async function dataOf(
  ctx: CommandContext,
  { data: file, device }: { readonly data: string | undefined; readonly device: string | undefined },
): Promise<DrawData | undefined> {
  if (file !== undefined) return recordsIn(await ctx.readInput(file, "--data"), file);
  return device === undefined ? undefined : recordsOf(ctx, device);
}

/** A list of records, `content` of a widget's data, or a whole response. */
function recordsIn(text: string, name: string): DrawData {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (cause) {
    throw invalid(name, "It is not valid JSON.", cause);
  }
  const inside = isObject(found) ? (found["content"] ?? found["result"] ?? found) : found;
  const list = isObject(inside) ? inside["content"] : inside;
  if (!Array.isArray(list) || !list.every(isObject)) throw invalid(name, "It has no list of records.");
  return list;
}

const invalid = (name: string, why: string, cause?: unknown): Error =>
  inputError(`The file ${quote(name)} for --data cannot be used.`, {
    code: "input.invalid",
    why,
    next: "Use the output of iot widget data --json or iot device data list --json.",
    cause,
  });

/** Without origin, so that they belong to any widget. */
async function recordsOf(ctx: CommandContext, text: string): Promise<DrawData> {
  const { id } = await resolveId(ctx, deviceFinder, text);
  const { devices } = await ctx.client();
  const records = await lookUp(ctx, deviceFinder, id, () => devices.getDeviceData(id, { qty: MAX_RECORDS }));
  if (records.length === 0) ctx.say.warning("The device has no data.");
  return records.map(({ device: _, ...rest }) => rest);
}
