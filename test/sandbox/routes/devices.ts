import { SEED_DEVICES } from "../../helpers/seed.ts";
import type { RouteCases, World } from "./case.ts";
import * as model from "./models.ts";
import { exactly, id, integer, like, list, object, text, uuid } from "./shape.ts";

const { freezer, weather, soil } = SEED_DEVICES;

async function withRows(world: World) {
  const device = await world.newDevice();
  await world.send(
    "POST",
    "/data",
    [
      { variable: "a", value: 1 },
      { variable: "a", value: 2 },
    ],
    device.token,
  );
  const rows = await world.send<{ id: string }[]>("GET", `/device/${device.id}/data`);
  return { ...device, row: rows[0]?.id ?? "" };
}

async function withParam(world: World) {
  const device = await world.newDevice({ configuration_params: [{ key: "k", value: "v" }] });
  const [param] = await world.send<{ id: string }[]>("GET", `/device/${device.id}/params`);
  return { ...device, param: param?.id ?? "" };
}

const firstChunk = async (world: World): Promise<string> =>
  (await world.send<{ id: string }[]>("GET", `/device/${weather}/chunk`))[0]?.id ?? "";

export const deviceCases: RouteCases = {
  "currentDevice.info": { as: "device", result: model.device },
  "currentDevice.sendData": {
    as: "device",
    given: () => ({ body: [{ variable: "a", value: 1 }] }),
    result: exactly("1 Data Added"),
  },
  "currentDevice.getData": { as: "device", result: list(model.deviceData) },
  "currentDevice.editData": {
    given: async (world) => {
      const { row, token } = await withRows(world);
      return { token, body: [{ id: row, value: 5 }] };
    },
    result: exactly("1 item(s) updated"),
  },
  "currentDevice.deleteData": {
    given: async (world) => ({ token: (await withRows(world)).token, query: "variables=a" }),
    result: exactly("2 Data Removed"),
  },
  "currentDevice.getParameters": { as: "device", result: list(model.deviceParam) },
  "currentDevice.setParameterAsRead": {
    given: async (world) => {
      const { param, token } = await withParam(world);
      return { token, params: { parameterID: param }, body: { sent: true } };
    },
    result: like(/Updated/),
  },
  "device.list": { result: list(model.deviceListed) },
  "device.create": {
    given: () => ({ body: { name: "Made here", type: "mutable" } }),
    result: object({ device_id: id, deviceID: id, bucket_id: id, token: uuid }),
  },
  "device.edit": {
    given: async (world) => ({ params: { deviceID: (await world.newDevice()).id }, body: { name: "Edited" } }),
    result: exactly("Successfully Updated"),
  },
  "device.delete": {
    given: async (world) => ({ params: { deviceID: (await world.newDevice()).id } }),
    result: exactly("Successfully Removed"),
  },
  "device.info": { given: () => ({ params: { deviceID: freezer } }), result: model.device },
  "device.paramSet": {
    given: () => ({ params: { deviceID: freezer }, body: [{ key: "more", value: "1", sent: false }] }),
    result: exactly("Params Successfully Updated"),
  },
  "device.paramList": { given: () => ({ params: { deviceID: freezer } }), result: list(model.deviceParam) },
  "device.paramRemove": {
    given: async (world) => {
      const { id: deviceID, param } = await withParam(world);
      return { params: { deviceID, paramID: param } };
    },
    result: exactly("Successfully Removed"),
  },
  "device.tokenList": { given: () => ({ params: { deviceID: freezer } }), result: list(model.deviceToken) },
  "device.tokenCreate": {
    given: () => ({ body: { device: freezer, name: "Second", permission: "read" } }),
    result: model.tokenCreated,
  },
  "device.tokenDelete": {
    given: async (world) => ({ params: { token: (await world.newDevice()).token } }),
    result: exactly("Token Successfully Removed"),
  },
  "device.amount": { given: () => ({ params: { deviceID: freezer } }), result: integer },
  "device.getDeviceData": { given: () => ({ params: { deviceID: freezer } }), result: list(model.deviceData) },
  "device.emptyDeviceData": {
    given: async (world) => ({ params: { deviceID: (await withRows(world)).id }, body: {} }),
    result: exactly("Data Successfully Removed"),
  },
  "device.sendDeviceData": {
    as: "analysis",
    given: async (world) => ({ params: { deviceID: (await world.newDevice()).id }, body: { variable: "a", value: 1 } }),
    result: exactly("1 Data Added"),
  },
  "device.editDeviceData": {
    given: async (world) => {
      const { id: deviceID, row } = await withRows(world);
      return { params: { deviceID }, body: { id: row, value: 3 } };
    },
    result: exactly("1 item(s) updated"),
  },
  "device.deleteDeviceData": {
    given: async (world) => ({ params: { deviceID: (await withRows(world)).id }, query: "variables=a&qty=1" }),
    result: exactly("1 Data Removed"),
  },
  "device.getChunk": { given: () => ({ params: { deviceID: weather } }), result: list(model.chunk) },
  "device.deleteChunk": {
    given: async (world) => ({ params: { deviceID: weather, chunkID: await firstChunk(world) } }),
    result: like(/^Chunk \d+_\d+ deleted$/),
  },
  "device.copyChunk": {
    given: async (world) => ({
      params: { deviceID: weather },
      body: { chunk_id: await firstChunk(world), headers: true, file_address: "/backups/$DEVICE$-$CHUNK$" },
    }),
    result: model.backup,
  },
  "device.dataBackup": {
    given: () => ({ params: { deviceID: freezer }, body: { headers: true, file_address: "/backups/$DEVICE$" } }),
    result: model.backup,
  },
  "device.chunkBackup": {
    given: async (world) => ({
      params: { deviceID: weather },
      body: { chunk_id: await firstChunk(world), headers: false, file_address: "/backups/chunk-$DEVICE$" },
    }),
    result: model.backup,
  },
  "device.dataRestore": {
    given: async (world) => {
      const file = Buffer.from("variable,value\nrestored,1\n").toString("base64");
      await world.send("POST", "/files", [{ filename: "restore.csv", file }]);
      return { params: { deviceID: (await world.newDevice()).id }, body: { file_address: "restore.csv" } };
    },
    result: exactly("Data import added to the queue successfully!"),
  },
  "tagocore.standaloneDeviceList": { given: () => ({ query: "fields=id&fields=name" }), result: list(model.named) },
  "tagocore.standaloneDeviceInfo": { given: () => ({ params: { deviceID: soil } }), result: model.named },
  "tag.getTagKeys": { given: () => ({ params: { type: "device" } }), result: list(text) },
};
