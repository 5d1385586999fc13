import { deviceRoutes } from "../../lib/resources/devices.ts";
import { deviceChunkBackup, deviceDataBackup, deviceDataRestore } from "../../schema/device.ts";
import { type Demand, record } from "../access/demands.ts";
import type { App } from "../app.ts";
import type { HandlerContext } from "../http/handler.ts";
import { orderBackup, orderRestore, resumeRestores, wantsHeaders } from "../ingest/transfer.ts";
import type { Resource } from "../resource.ts";
import { toDataDevice } from "./device.ts";
import { dataGaps } from "./gaps.ts";

const gaps = {
  ruled: {
    subject: "Rules, backups and imports of device data",
    choice: "export_data and import_data of the device are enough, no rule for the file is asked for",
  },
} as const;

/** Placeholders whose content is assumed. */
const OWN_MARKS = /\$(ORGID|ENVIRONMENT)\$/;
/** The same, in the backup of a whole device. */
const OWN_MARKS_OF_ALL = /\$(ORGID|ENVIRONMENT|CHUNK|FROM|TO|CHUNK_START|CHUNK_END)\$/;

const device = (action: string): Demand => record("device", "deviceID", action);
function serve(app: App): void {
  const devices = app.collection("device");
  const noteRules = ({ assume, principal }: Pick<HandlerContext, "assume" | "principal">): void => {
    if (app.policy.binds(principal)) assume(gaps.ruled);
  };

  const backup = { rule: device("export_data"), body: deviceDataBackup };
  app.on(deviceRoutes.dataBackup, backup, (context) => {
    const { file_address: address, headers } = context.body;
    noteRules(context);
    if (OWN_MARKS_OF_ALL.test(address)) context.assume(dataGaps.backupMarks);
    const document = devices.need(context.params.deviceID, context.profile);
    return orderBackup(app, document, { address, headers: wantsHeaders(headers) });
  });

  const chunkRoutes = [
    [deviceRoutes.chunkBackup, { rule: device("export_data") }],
    [deviceRoutes.copyChunk, { rule: device("manage_chunks"), gaps: [dataGaps.chunkCopy] }],
  ] as const;
  for (const [route, options] of chunkRoutes) {
    app.on(route, { ...options, body: deviceChunkBackup }, (context) => {
      const { chunk_id: chunkId, file_address: address, headers } = context.body;
      noteRules(context);
      if (OWN_MARKS.test(address)) context.assume(dataGaps.backupMarks);
      const document = devices.need(context.params.deviceID, context.profile);
      const chunk = app.data.needChunk(toDataDevice(document), chunkId);
      return orderBackup(app, document, { address, headers: wantsHeaders(headers), chunk });
    });
  }

  const restore = { rule: device("import_data"), body: deviceDataRestore };
  app.on(deviceRoutes.dataRestore, restore, (context) => {
    noteRules(context);
    const document = devices.need(context.params.deviceID, context.profile);
    return orderRestore(app, document, context.body.file_address, context);
  });
  resumeRestores(app);
}

/** Device data to and from files: backups, copies of chunks, imports. */
export const deviceDataFiles: Resource = { gaps, serve };
