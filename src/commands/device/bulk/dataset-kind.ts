import type { JobKind } from "../../kit/jobs/job.ts";
import { finishDataset } from "./dataset-finish.ts";
import { writeItem } from "./dataset-item.ts";
import type { DatasetArgs, DatasetRow, DatasetShared } from "./dataset-types.ts";
import { DatasetUpdate } from "./dataset-update.ts";

/** The export of a dataset. */
export const datasetKind: JobKind<DatasetShared, DatasetArgs, DatasetRow> = {
  name: "device data export",
  version: 2,
  columns: ["device", "records", "counted", "there", "part", "devices", "differing"],
  run: async (work, shared, item) =>
    shared.since === undefined ? writeItem(work, shared, item) : (await DatasetUpdate.of(work, shared, item)).run(),
  finish: finishDataset,
};
