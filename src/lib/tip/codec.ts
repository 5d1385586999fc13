// The text of the protocol, which is what browsers get: frames, bodies and responses, and records of the platform.

export { buildAck, parseAck } from "./ack.ts";
export { parseBody } from "./body.ts";
export { buildBody, buildFrame } from "./build.ts";
export { type TipClientCode, TipError, type TipErrorCode } from "./errors.ts";
export { parseFrame, parsePayload, readFrameHead } from "./frame.ts";
export { buildInner, parseInner } from "./inner.ts";
export { fromRecords, type TipRecord, type TipRecordInput, toRecords } from "./records.ts";
export type {
  Input,
  TipAck,
  TipAckInput,
  TipBody,
  TipBodyInput,
  TipContent,
  TipContentInput,
  TipFrame,
  TipFrameInput,
  TipHead,
  TipInner,
  TipInnerInput,
  TipLocation,
  TipMarks,
  TipMarksInput,
  TipMethod,
  TipPayload,
  TipRaw,
  TipStatus,
  TipVariable,
  TipVariableInput,
  TipVariables,
} from "./types.ts";
