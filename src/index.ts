/**
 * The library: resources of the platform, devices, analyses, event streams and the widget converters.
 *
 * @module iotdeck
 */

export * from "./lib/analysis/index.ts";
export type {
  Email,
  EmailAttachment,
  EmailSendgrid,
  EmailService,
  EmailSMTP,
  EmailTemplate,
  SendgridService,
  SMTPService,
} from "./lib/analysis/services/email.ts";
export type {
  SMS,
  SMSService,
  TwilioService,
  TwilioSMS,
  TwilioWhatsapp,
  TwilioWhatsappService,
} from "./lib/analysis/services/messages.ts";
export type { MQTTService, PublishMQTT } from "./lib/analysis/services/mqtt.ts";
export type { PDFOptions, PDFParams, PDFResult, PDFService } from "./lib/analysis/services/pdf.ts";
export type {
  AttachmentArchive,
  AttachmentService,
  ConsoleService,
  NotificationSend,
  NotificationService,
  TagoTiPCommand,
  TagoTiPService,
} from "./lib/analysis/services/platform.ts";
export type { SQSMessages, SQSService } from "./lib/analysis/services/sqs.ts";
export { Services, type ServicesParams } from "./lib/analysis/services.ts";
export type { CallOptions, ClientOptions } from "./lib/api/client.ts";
export type { Given, ListFilter, ListQuery, OrderDirection, Picked, Stored } from "./lib/api/list-query.ts";
export type { GenericModuleParams, Module } from "./lib/api/module.ts";
export { type RawReply, type RawRequest, rawRequest } from "./lib/api/raw.ts";
export { Authorization, type DetailsParams } from "./lib/clients/authorization.ts";
export { type CurrentDeviceInfo, Device, type ParameterStatus } from "./lib/clients/device.ts";
export { Dictionary, type DictionaryParams, type ResolveExpressionParams } from "./lib/clients/dictionary.ts";
export {
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
  type SDB,
} from "./lib/clients/run-user.ts";
export {
  ApiError,
  type Attempt,
  CancelledError,
  DownlinkError,
  type DownlinkStep,
  type ErrorOrigin,
  InputError,
  PdfError,
  RequestError,
  type RequestErrorCode,
  type RequestInfo,
  SdkError,
  UploadError,
  type UploadStep,
} from "./lib/core/errors.ts";
export { type Region, type RegionAddresses, type Regions, regionsDefinition } from "./lib/core/regions.ts";
export { VERSION } from "./lib/core/version.ts";
export type { DictionaryExpression } from "./lib/expression/expression.ts";
export { Cache, type CacheRequest } from "./lib/http/cache.ts";
export type { ClientHooks, RequestEvent, ResponseEvent, WaitEvent } from "./lib/http/hooks.ts";
export { createLimiter, type Limiter, type LimiterOptions, type LimitName } from "./lib/http/limiter.ts";
export type { Clock, RetryEvent, RetryHook } from "./lib/http/retry.ts";
export {
  type Fetch,
  type HttpMethod,
  type Transport,
  type TransportChoice,
  TransportError,
  type TransportReply,
  type TransportRequest,
  type TransportStream,
} from "./lib/http/transport.ts";
export type * from "./lib/official-types.ts";
export type * as Types from "./lib/official-types.ts";
export type { Channel } from "./lib/realtime/channels.ts";
export type { ConnectionTuning, Gap } from "./lib/realtime/connection.ts";
export {
  type EventStream,
  type EventStreamOptions,
  openEventStream,
  type StreamGap,
  type StreamItem,
  type StreamOpen,
  type StreamRetry,
} from "./lib/realtime/event-stream.ts";
export {
  SSE,
  type SseHandler,
  type SseListener,
  type SseMessageEvent,
  type SseOptions,
  type SsePlainEvent,
  type SseSource,
} from "./lib/realtime/sse.ts";
export type { StreamMessage } from "./lib/realtime/stream-message.ts";
export { Account, Resources } from "./lib/resources/index.ts";
export type { ProfileResources } from "./lib/resources/profile-resources.ts";
export { Utils } from "./lib/utils/index.ts";
export type { LorawanQRCode } from "./lib/utils/lorawan-qr-code.ts";
export type { DownlinkOptions } from "./lib/utils/send-downlink.ts";
export type { NewId } from "./lib/widgets/engine.ts";
export {
  type ConversionReport,
  type ConvertOptions,
  convertWithReport,
  type DashboardPlan,
  type Inspection,
  inspectWidget,
  Migration,
  type PlannedVerdict,
  type PlannedWidget,
  type PlanOptions,
  planDashboard,
  planWidget,
  type ReportEntry,
  type ReportOptions,
  type Verdict,
} from "./lib/widgets/index.ts";
