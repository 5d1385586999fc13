export * from "./lib/analysis/index.ts";
export { Authorization, authorizationRoutes, type DetailsParams } from "./lib/clients/authorization.ts";
export { type DataNumber, Device, type ParameterStatus } from "./lib/clients/device.ts";
export { Dictionary } from "./lib/clients/dictionary.ts";
export {
  currentNetworkRoutes,
  Network,
  type NetworkDevice,
  type NetworkDeviceQuery,
  type PublishOptions,
} from "./lib/clients/network.ts";
export {
  RunUser,
  type RunUserInfo,
  type RunUserLogin,
  type RunUserNotification,
  runUserRoutes,
} from "./lib/clients/run-user.ts";
export { type SDB, sdbRoutes } from "./lib/clients/sdb.ts";
export {
  ApiError,
  type Attempt,
  CancelledError,
  type ErrorOrigin,
  InputError,
  RequestError,
  type RequestErrorCode,
  SdkError,
} from "./lib/core/errors.ts";
export type { ListFilter, ListQuery, OrderDirection, Picked } from "./lib/core/list-query.ts";
export type { GenericModuleParams } from "./lib/core/module.ts";
export { type Region, type RegionAddresses, type Regions, regionsDefinition } from "./lib/core/regions.ts";
export { VERSION } from "./lib/core/version.ts";
export { Cache, type CacheRequest } from "./lib/http/cache.ts";
export type { CallOptions, ClientOptions } from "./lib/http/client.ts";
export type { Fetch } from "./lib/http/fetch-transport.ts";
export { type RawReply, type RawRequest, rawRequest } from "./lib/http/raw.ts";
export type { Clock } from "./lib/http/retry.ts";
export {
  type Transport,
  TransportError,
  type TransportReply,
  type TransportRequest,
  type TransportStream,
} from "./lib/http/transport.ts";
export {
  type EventStream,
  type EventStreamOptions,
  openEventStream,
  type StreamItem,
} from "./lib/realtime/event-stream.ts";
export { SSE } from "./lib/realtime/sse.ts";
export * from "./lib/resources/index.ts";
export { Utils } from "./lib/utils/index.ts";
export { Migration } from "./lib/widgets/index.ts";
