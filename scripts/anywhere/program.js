// What a program does with the library, the same on every platform: Node, browsers, Deno, Bun. Each step checks what it got.

/** Bytes of the file that goes up: two parts. */
const FILE_BYTES = 8_000_000;

function check(isTrue, what) {
  if (!isTrue) throw new Error(`not so: ${what}`);
}

/**
 * @param library everything the package exports
 * @param place addresses and tokens of a sandbox with the demo account
 * @returns the names of the steps that were done
 */
export async function runProgram(library, place) {
  const { ApiError, Device, InputError, Resources, SSE, openEventStream } = library;
  const region = { api: place.url, sse: place.eventsUrl };
  const resources = new Resources({ token: place.token, region });
  const device = new Device({ token: place.deviceToken, region });
  const done = [];

  const devices = await resources.devices.list({ fields: ["id", "name", "last_input"] });
  check(devices.length > 5 && devices.every(({ id, name }) => id !== "" && name !== ""), "a list of devices");
  done.push("device list");

  const { id } = await device.info();
  const time = new Date("2026-02-03T04:05:06.789Z");
  const said = await device.sendData([{ variable: "anywhere", value: 21.5, unit: "°C", time }]);
  check(said === "1 Data Added", `one record is added: ${said}`);
  const [record] = await device.getData({ variables: "anywhere", qty: 1 });
  check(record?.value === 21.5 && record.unit === "°C", "the record comes back");
  check(record.time instanceof Date && record.time.getTime() === time.getTime(), "its time is a date");
  done.push("send and get data");

  let pages = 0;
  for await (const page of device.getDataStreaming({ variables: "anywhere" }, { poolingTime: 0 })) pages += page.length;
  check(pages > 0, "pages of data");
  done.push("stream of pages");

  const channels = { channel: "device_data", resource_id: id };
  const stream = openEventStream({ channels, token: place.token, region });
  for await (const item of stream) {
    if (item.type === "open") await device.sendData({ variable: "event", value: 1 });
    if (item.type === "message") {
      check(item.payload !== undefined, `an envelope: ${item.data}`);
      break;
    }
  }
  check(stream.state === "closed", "the stream is closed");
  done.push("event stream");

  const source = await SSE.openSSEListening(channels, { token: place.token, region });
  await new Promise((resolve, reject) => {
    source.onopen = resolve;
    source.onerror = ({ message }) => reject(new Error(message));
  });
  source.close();
  done.push("EventSource shape");

  const bytes = new Uint8Array(FILE_BYTES).fill(65);
  const progress = [];
  const { file } = await resources.files.uploadFile(new Blob([bytes]), "/anywhere/file.txt", {
    chunkSize: 5_300_000,
    contentType: "text/plain",
    isPublic: false,
    onProgress: (percentage) => progress.push(percentage),
  });
  check(file.includes("/anywhere/file.txt"), `the address of the file: ${file}`);
  check(progress.at(-1) === 100, `progress ends at 100: ${progress}`);
  const { files } = await resources.files.list({ path: "/anywhere" });
  check(
    files.some(({ size, public: isPublic }) => size === FILE_BYTES && !isPublic),
    "the whole file is there, private",
  );
  done.push("upload of a Blob");

  const refusal = await resources.devices.info("65a1000000000000000d9999").catch((error) => error);
  check(refusal instanceof ApiError && refusal.status === 404 && refusal instanceof Error, `a real error: ${refusal}`);
  const wrong = await device.sendDataStreaming("text").catch((error) => error);
  check(wrong instanceof InputError && wrong.message === "Only data array is allowed", `a wrong argument: ${wrong}`);
  const reason = new AbortController();
  reason.abort();
  const cancelled = await resources.devices.list({}, { signal: reason.signal }).catch((error) => error);
  check(cancelled.name === "CancelledError", `cancelled: ${cancelled}`);
  done.push("errors and cancellation");
  return done;
}
