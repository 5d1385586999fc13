// A sensor of a room: temperature and humidity on port 2, the state of its door on port 3.
const frame = payload.find((record) => record.variable === "payload");
const port = Number(payload.find((record) => record.variable === "fport")?.value);

function climate(bytes) {
  return [
    { variable: "temperature", value: bytes.readInt16BE(1) / 10, unit: "°C" },
    { variable: "humidity", value: bytes.readUInt8(3), unit: "%" },
    { variable: "battery", value: bytes.readUInt16BE(4) / 1000, unit: "V" },
  ];
}

function door(bytes) {
  switch (bytes[0]) {
    case 1:
      return [{ variable: "door", value: "open", metadata: { minutes: bytes[1] } }];
    case 2:
      return [{ variable: "door", value: "closed" }];
    default:
      throw new Error(`Unknown state ${bytes[0]}`);
  }
}

if (frame) {
  const bytes = Buffer.from(frame.value, "hex");
  const found = port === 3 ? door(bytes) : climate(bytes);
  payload = payload.concat(found.map((record) => ({ ...record, group: frame.group ?? String(Date.now()) })));
}
