import { describe, expect, it } from "vitest";
import { type DeviceStreamOptions, Resources } from "../../../src/index.ts";
import { Devices } from "../../../src/lib/resources/index.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { collect, frozen, methodsOf, type Operation, testOperations } from "../../helpers/operations.ts";
import { failed, manualClock, type Step, scripted, success } from "../../helpers/scripted-transport.ts";

const moment = "2024-03-05T10:20:30.000Z";
const date = new Date(moment);
const device = {
  id: "d1",
  name: "Pump",
  created_at: moment,
  updated_at: "never",
  last_input: null,
  last_output: moment,
};
const deviceWithDates = { ...device, created_at: date };
const tokenRow = { token: "t1", created_at: moment, expire_time: "never", last_authorization: "Gateway 7" };
const record = { id: "r1", variable: "level", value: 1, time: moment, created_at: moment };
const recordWithDates = { ...record, time: date, created_at: date };
const data = frozen([{ variable: "level", value: 1, time: date }]);
const sentData = [{ variable: "level", value: 1, time: moment }];
const params = frozen([{ key: "interval", value: "60", sent: false }]);
const wire = "page=1&fields[0]=id&fields[1]=name&fields[2]=tags";
const names = "resolveBucketName=false&resolveConnectorName=false";

const operations: Operation<Devices>[] = [
  {
    method: "list",
    call: (devices, options) => devices.list(undefined, options),
    sends: `GET /device?${wire}&amount=20&orderBy=name,asc&${names}`,
    answers: [device],
    gives: [deviceWithDates],
  },
  {
    method: "list",
    when: "with everything",
    call: (devices, options) =>
      devices.list(
        frozen({
          page: 3,
          amount: 50,
          fields: ["id", "last_input"],
          filter: { name: "Pump *", tags: [{ key: "site", value: "a&b" }], last_input: date },
          orderBy: ["created_at", "desc"],
          resolveBucketName: true,
          resolveConnectorName: true,
          serial: "S/1",
        }),
        options,
      ),
    sends: `GET /device?page=3&fields[0]=id&fields[1]=last_input&filter[name]=Pump *&filter[tags][0][key]=site&filter[tags][0][value]=a&b&filter[last_input]=${moment}&amount=50&orderBy=created_at,desc&resolveBucketName=true&resolveConnectorName=true&serial=S/1`,
    answers: [],
  },
  {
    method: "create",
    call: (devices, options) => devices.create(frozen({ name: "Pump", type: "mutable", tags: [] }), options),
    sends: "POST /device",
    body: { name: "Pump", type: "mutable", tags: [] },
    answers: { device_id: "d1", bucket_id: "d1", token: "t1" },
  },
  {
    method: "edit",
    call: (devices, options) => devices.edit("d1", frozen({ active: false }), options),
    sends: "PUT /device/d1",
    body: { active: false },
  },
  { method: "delete", call: (devices, options) => devices.delete("d1", options), sends: "DELETE /device/d1" },
  {
    method: "info",
    call: (devices, options) => devices.info("d1", options),
    sends: "GET /device/d1",
    answers: device,
    gives: deviceWithDates,
  },
  {
    method: "paramSet",
    call: (devices, options) => devices.paramSet("d1", params, undefined, options),
    sends: "POST /device/d1/params",
    body: params,
  },
  {
    method: "paramSet",
    when: "with one parameter to change",
    call: (devices, options) => devices.paramSet("d1", frozen({ key: "a", id: "other" }), "p1", options),
    sends: "POST /device/d1/params",
    body: { key: "a", id: "p1" },
  },
  {
    method: "paramSet",
    when: "with one parameter to add",
    call: (devices, options) => devices.paramSet("d1", frozen({ key: "a" }), undefined, options),
    sends: "POST /device/d1/params",
    body: { key: "a" },
  },
  {
    method: "paramSet",
    when: "with a list, which no id fits",
    call: (devices, options) => devices.paramSet("d1", params, "p1", options),
    sends: "POST /device/d1/params",
    body: params,
  },
  {
    method: "paramList",
    call: (devices, options) => devices.paramList("d1", undefined, options),
    sends: "GET /device/d1/params",
    answers: [{ id: "p1", key: "a", value: moment, sent: false }],
  },
  {
    method: "paramList",
    when: "of those that were sent",
    call: (devices, options) => devices.paramList("d1", true, options),
    sends: "GET /device/d1/params?sent_status=true",
  },
  {
    method: "paramList",
    when: "of those that were not sent",
    call: (devices, options) => devices.paramList("d1", false, options),
    sends: "GET /device/d1/params?sent_status=false",
  },
  {
    method: "paramRemove",
    call: (devices, options) => devices.paramRemove("d1", "p1", options),
    sends: "DELETE /device/d1/params/p1",
  },
  {
    method: "tokenList",
    call: (devices, options) => devices.tokenList("d1", undefined, options),
    sends:
      "GET /device/token/d1?page=1&fields[0]=name&fields[1]=token&fields[2]=permission&amount=20&orderBy=created_at,desc",
    answers: [tokenRow],
    gives: [{ ...tokenRow, created_at: date }],
  },
  {
    method: "tokenList",
    when: "with a query",
    call: (devices, options) => devices.tokenList("d1", frozen({ page: 2, fields: ["token"], amount: 5 }), options),
    sends: "GET /device/token/d1?page=2&fields[0]=token&amount=5&orderBy=created_at,desc",
    answers: [],
  },
  {
    method: "tokenCreate",
    call: (devices, options) => devices.tokenCreate("d1", frozen({ name: "A", permission: "read" }), options),
    sends: "POST /device/token",
    body: { device: "d1", name: "A", permission: "read" },
    answers: { token: "t1", expire_date: moment, permission: "read" },
    gives: { token: "t1", expire_date: date, permission: "read" },
  },
  {
    method: "tokenCreate",
    when: "with another device among its params",
    call: (devices, options) => devices.tokenCreate("d1", frozen({ name: "A", device: "d2" }), options),
    sends: "POST /device/token",
    body: { device: "d1", name: "A" },
    answers: { expire_date: "never" },
  },
  {
    method: "tokenDelete",
    call: (devices, options) => devices.tokenDelete("t1", options),
    sends: "DELETE /device/token/t1",
  },
  {
    method: "amount",
    call: (devices, options) => devices.amount("d1", options),
    sends: "GET /device/d1/data_amount",
    answers: 0,
  },
  {
    method: "getDeviceData",
    call: (devices, options) => devices.getDeviceData("d1", undefined, options),
    sends: "GET /device/d1/data",
    answers: [record, { ...record, time: "never", created_at: null }],
    gives: [recordWithDates, { ...record, time: "never", created_at: null }],
  },
  {
    method: "getDeviceData",
    when: "with a query",
    call: (devices, options) =>
      devices.getDeviceData(
        "d1",
        frozen({
          query: "min",
          variables: ["a", "b"],
          groups: "g",
          start_date: date,
          end_date: "now",
          qty: 0,
          details: true,
        }),
        options,
      ),
    sends: `GET /device/d1/data?variables[0]=a&variables[1]=b&groups=g&start_date=${moment}&end_date=now&qty=0&details=true&query=min`,
    answers: [],
  },
  {
    method: "getDeviceData",
    when: "of the default kind",
    call: (devices, options) => devices.getDeviceData("d1", frozen({ query: "default", qty: 1 }), options),
    sends: "GET /device/d1/data?qty=1",
    answers: [],
  },
  {
    method: "getDeviceData",
    when: "of a kind that gives a number",
    call: (devices, options) => devices.getDeviceData("d1", frozen({ query: "count" }), options),
    sends: "GET /device/d1/data?query=count",
    answers: 0,
    gives: [{ id: "none", origin: "?", variable: "?", value: 0, time: expect.any(Date) }],
  },
  {
    method: "emptyDeviceData",
    call: (devices, options) => devices.emptyDeviceData("d1", options),
    sends: "POST /device/d1/empty",
  },
  {
    method: "sendDeviceData",
    call: (devices, options) => devices.sendDeviceData("d1", data, options),
    sends: "POST /device/d1/data",
    body: sentData,
    answers: "1 Data Added",
  },
  {
    method: "sendDeviceData",
    when: "with one record",
    call: (devices, options) => devices.sendDeviceData("d1", frozen({ variable: "level" }), options),
    sends: "POST /device/d1/data",
    body: { variable: "level" },
  },
  {
    method: "editDeviceData",
    call: (devices, options) => devices.editDeviceData("d1", frozen([{ id: "r1", value: 2 }]), options),
    sends: "PUT /device/d1/data",
    body: [{ id: "r1", value: 2 }],
  },
  {
    method: "deleteDeviceData",
    call: (devices, options) => devices.deleteDeviceData("d1", undefined, options),
    sends: "DELETE /device/d1/data",
  },
  {
    method: "deleteDeviceData",
    when: "with a query",
    call: (devices, options) =>
      devices.deleteDeviceData("d1", frozen({ query: "default", ids: ["r1", "r2"], qty: 2 }), options),
    sends: "DELETE /device/d1/data?ids[0]=r1&ids[1]=r2&qty=2",
  },
  {
    method: "getChunk",
    call: (devices, options) => devices.getChunk("d1", options),
    sends: "GET /device/d1/chunk",
    answers: [{ id: "1_2", from: moment, to: moment, amount: 1 }],
  },
  {
    method: "deleteChunk",
    call: (devices, options) => devices.deleteChunk("d1", "1_2", options),
    sends: "DELETE /device/d1/chunk/1_2",
  },
  {
    method: "copyChunk",
    call: (devices, options) =>
      devices.copyChunk(frozen({ deviceID: "d1", chunkID: "1_2", headers: true, file_address: "/a" }), options),
    sends: "POST /device/d1/chunk/copy",
    body: { chunk_id: "1_2", headers: true, file_address: "/a" },
    answers: { file_address: "/a" },
  },
  {
    method: "dataBackup",
    call: (devices, options) => devices.dataBackup(frozen({ deviceID: "d1", file_address: "/a" }), undefined, options),
    sends: "POST /device/d1/data/backup",
    body: { file_address: "/a" },
    answers: { file_address: "/a" },
  },
  {
    method: "dataBackup",
    when: "of a chunk",
    call: (devices, options) =>
      devices.dataBackup(frozen({ deviceID: "d1", headers: false, file_address: "/a" }), "1_2", options),
    sends: "POST /device/d1/chunk/backup",
    body: { chunk_id: "1_2", headers: false, file_address: "/a" },
    answers: { file_address: "/a" },
  },
  {
    method: "dataRestore",
    call: (devices, options) => devices.dataRestore(frozen({ deviceID: "d1", file_address: "/a" }), options),
    sends: "POST /device/d1/data/restore",
    body: { file_address: "/a" },
  },
  {
    method: "listStreaming",
    call: (devices, options) => collect(devices.listStreaming(undefined, { ...options } as DeviceStreamOptions)),
    sends: `GET /device?${wire}&amount=1000&orderBy=name,asc&${names}`,
    answers: [device],
    gives: [[deviceWithDates]],
  },
  {
    method: "getDeviceDataStreaming",
    call: (devices, options) =>
      collect(devices.getDeviceDataStreaming("d1", undefined, { ...options } as DeviceStreamOptions)),
    sends: "GET /device/d1/data?qty=1000&skip=0&ordination=ascending",
    answers: [record],
    gives: [[recordWithDates]],
  },
  {
    method: "sendDeviceDataStreaming",
    call: (devices, options) => devices.sendDeviceDataStreaming("d1", data, { ...options } as DeviceStreamOptions),
    sends: "POST /device/d1/data",
    body: sentData,
    gives: "1 Data added.",
  },
];

describe("Devices", () => {
  testOperations((params) => new Resources(params).devices, operations);

  it("has no method that is not in the table", () => {
    expect([...new Set(operations.map(({ method }) => method))].sort()).toEqual(methodsOf(Devices).sort());
  });

  const offline = (...steps: readonly [Step, ...Step[]]) => {
    const transport = scripted(...steps);
    const clock = manualClock();
    return { transport, clock, devices: new Resources({ token: "t", transport, clock }).devices };
  };

  it.each(["ids", "variables", "variable", "groups", "series", "values"] as const)(
    "deletes nothing for an empty list of %s, which would vanish on the way",
    async (name) => {
      const { devices, transport } = offline(success("done"));
      const error = await failureOf(devices.deleteDeviceData("d1", { [name]: [] }));
      expect(error).toMatchObject({
        name: "InputError",
        message: `Nothing to delete: "${name}" is an empty list`,
        field: name,
      });
      expect(transport.requests).toHaveLength(0);
    },
  );

  describe("listStreaming", () => {
    /** A list of devices of which each call gives one page. */
    const fleet =
      (size: number): Step =>
      ({ url }) => {
        const query = new URL(url).searchParams;
        const page = Number(query.get("page"));
        const amount = Number(query.get("amount"));
        const first = (page - 1) * amount;
        return success(
          Array.from({ length: Math.max(0, Math.min(amount, size - first)) }, (_, index) => ({
            id: `d${first + index}`,
          })),
        );
      };
    const pagesOf = (requests: readonly { readonly url: string }[]) =>
      requests.map(({ url }) => Number(new URL(url).searchParams.get("page")));

    it.each([
      [0, [1]],
      [3, [1]],
      [10, [1, 2]],
      [25, [1, 2, 3]],
      [30, [1, 2, 3, 4]],
    ])("of %i devices gives each once, page by page", async (size, pages) => {
      const { devices, transport, clock } = offline(fleet(size));
      const seen = (await collect(devices.listStreaming({}, { poolingRecordQty: 10 }))).flat();
      expect(seen.map(({ id }) => id)).toEqual(Array.from({ length: size }, (_, index) => `d${index}`));
      expect(pagesOf(transport.requests)).toEqual(pages);
      expect(clock.waits).toEqual(pages.slice(1).map(() => 500));
    });

    it("passes the query on", async () => {
      const { devices, transport } = offline(fleet(1));
      const query = frozen({ fields: ["id"], filter: { active: true }, resolveConnectorName: true } as const);
      await collect(devices.listStreaming(query, { poolingRecordQty: 2.5 }));
      expect(decodeURIComponent(transport.requests[0]?.url.split("?")[1] ?? "")).toBe(
        "page=1&fields[0]=id&filter[active]=true&amount=3&orderBy=name,asc&resolveBucketName=false&resolveConnectorName=true",
      );
    });

    it("stops when the loop is left", async () => {
      const { devices, transport } = offline(fleet(100));
      for await (const page of devices.listStreaming({}, { poolingRecordQty: 10, poolingTime: 0 })) {
        if (page.some(({ id }) => id === "d15")) break;
      }
      expect(pagesOf(transport.requests)).toEqual([1, 2]);
    });

    it("waits as long as told, 0 included", async () => {
      const { devices, clock } = offline(fleet(25));
      await collect(devices.listStreaming({}, { poolingRecordQty: 10, poolingTime: 0 }));
      expect(clock.waits).toEqual([]);
      await collect(devices.listStreaming({}, { poolingRecordQty: 10, poolingTime: 70 }));
      expect(clock.waits).toEqual([70, 70]);
    });

    it("refuses more than 1000 devices at once", async () => {
      const { devices, transport } = offline(fleet(1));
      const error = await failureOf(collect(devices.listStreaming({}, { poolingRecordQty: 1001 })));
      expect(error).toMatchObject({ name: "InputError", message: "The maximum of poolingRecordQty is 1000" });
      expect(transport.requests).toHaveLength(0);
    });

    it("ends with the error of a page, after the pages before it", async () => {
      const { devices } = offline(fleet(100), failed(403, "Authorization Denied"));
      const seen: number[] = [];
      const call = (async () => {
        for await (const page of devices.listStreaming({}, { poolingRecordQty: 10 })) seen.push(page.length);
      })();
      await expect(call).rejects.toThrow("Authorization Denied");
      expect(seen).toEqual([10]);
    });
  });
});
