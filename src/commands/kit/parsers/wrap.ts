/** How a script takes payloads: it changes the global `payload`, or it defines a function that returns the values. */
export const formats = ["auto", "payload", "function"] as const;

/** Functions that public decoders define, and how each is called. */
const calls = {
  decodeUplink: "decodeUplink({ bytes, fPort, recvTime: new Date(raw.time || Date.now()), variables: {} })",
  Decoder: "Decoder(bytes, fPort)",
  Decode: "Decode(fPort, bytes, {})",
} as const;

export type DecoderFunction = keyof typeof calls;

const comments = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
const setsPayload = /(?<![.\w$])payload\s*(?:=(?![=>])|\.(?:push|unshift|splice)\s*\()/;
const declaresPayload = /\b(?:var|let|const)\s+payload\b/;

/** The function of a decoder, where the script defines one. */
export function definedFunction(source: string): DecoderFunction | undefined {
  const code = source.replace(comments, "");
  const isDefined = (name: string): boolean =>
    new RegExp(`^\\s*(?:function\\s+${name}\\s*\\(|(?:var|let|const)\\s+${name}\\s*=)`, "m").test(code);
  return (Object.keys(calls) as DecoderFunction[]).find(isDefined);
}

/** Whether a script writes to the global `payload`, and so needs nobody to call its function. */
export function writesPayload(source: string): boolean {
  const code = source.replace(comments, "");
  return setsPayload.test(code) && !declaresPayload.test(code);
}

/**
 * The source and what calls its function as the platform would not: with the bytes and port of the payload. The values
 * it returns are added as records. The lines of the source stay where they are.
 */
export function wrapped(source: string, name: DecoderFunction): string {
  return `${source}
;payload = (() => {
  const records = Array.isArray(payload) ? payload : [payload];
  const named = (...names) => records.find((record) => names.includes(record.variable));
  const raw = named("payload", "payload_raw", "payload_hex", "data");
  if (!raw) return records;
  const port = named("fport", "fPort", "FPort", "port");
  const fPort = port && Number(port.value);
  const bytes = Array.from(Buffer.from(String(raw.value), "hex"));
  const result = ${calls[name]};
  const { errors = [], warnings = [], data = result } = ${name === "decodeUplink" ? "result || {}" : "{}"};
  for (const warning of warnings) console.log(warning);
  if (errors.length > 0) throw new Error([].concat(errors).join("; "));
  if (data === undefined || data === null) return records;
  if (Array.isArray(data) && data.every((item) => item && item.variable)) return records.concat(data);
  const flat = (name, value) =>
    value === null || value === undefined
      ? []
      : typeof value === "object"
        ? Object.keys(value).flatMap((key) => flat(name === "" ? key : name + "_" + key, value[key]))
        : [{ variable: name.replace(/[*?!<>.\\-=$\\s]/g, "_"), value, group: raw.group || raw.serie, time: raw.time }];
  return records.concat(flat("", data));
})();
`;
}
