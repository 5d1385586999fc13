// A payload decoder and its test, with the types of records to send.
import type { Data, DataToSend } from "iotdeck";

type Reading = Pick<DataToSend, "variable" | "value" | "unit">;

function decode(hexadecimal: string): Reading[] {
  const bytes = Buffer.from(hexadecimal, "hex");
  return [
    { variable: "temperature", value: bytes.readInt16BE(0) / 100, unit: "C" },
    { variable: "humidity", value: bytes.readUInt8(2) / 2, unit: "%" },
  ];
}

export function parse(payload: DataToSend[], group = String(Date.now())): DataToSend[] {
  const raw = payload.find(({ variable }) => ["payload", "data"].includes(variable));
  if (!raw) return payload;
  try {
    const time = raw.time ?? new Date();
    const records = decode(String(raw.value)).map((one) => ({ ...one, group, time, location: raw.location ?? null }));
    return payload.concat(records);
  } catch (error) {
    return [{ variable: "parse_error", value: error instanceof Error ? error.message : String(error) }];
  }
}

let payload: DataToSend[] = [{ variable: "payload", value: "0a1b28", unit: "", metadata: {} }];
payload = parse(payload);
export const temperature: DataToSend | undefined = payload.find((item) => item.variable === "temperature");
export const again = (records: Data[]): DataToSend[] =>
  records.map((record) => ({ ...record, value: record.metadata?.old_value ?? "" }));
