import { deviceRoutes } from "../../../lib/resources/devices.ts";
import { deviceChunkBackup, deviceDataBackup, deviceDataRestore } from "../../../schema/device.ts";
import type { App } from "../../app.ts";
import { toDataDevice } from "../../data/device.ts";
import { orderBackup, orderRestore, resumeRestores, wantsHeaders } from "../../ingest/transfer.ts";

/** Binds what moves device data from and to files: backups, copies of chunks, imports. */
export function registerDataFileRoutes(app: App): void {
  const devices = app.collection("device");

  app.handle(deviceRoutes.dataBackup, { body: deviceDataBackup }, ({ body, params, profile }) => {
    const device = devices.need(params.deviceID, profile);
    return orderBackup(app, device, { address: body.file_address, headers: wantsHeaders(body.headers) });
  });

  for (const route of [deviceRoutes.chunkBackup, deviceRoutes.copyChunk] as const) {
    app.handle(route, { body: deviceChunkBackup }, ({ body, params, profile }) => {
      const device = devices.need(params.deviceID, profile);
      const chunk = app.data.needChunk(toDataDevice(device), body.chunk_id);
      return orderBackup(app, device, { address: body.file_address, headers: wantsHeaders(body.headers), chunk });
    });
  }

  app.handle(deviceRoutes.dataRestore, { body: deviceDataRestore }, ({ body, params, profile }) =>
    orderRestore(app, devices.need(params.deviceID, profile), body.file_address),
  );
  resumeRestores(app);
}
