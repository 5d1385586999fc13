/**
 * The device protocol TagoTiP: its text, its envelopes, and a client.
 *
 * @module iotdeck/tip
 */

export { TipClient } from "./client.ts";
export type { TipClientOptions, TipOver, TipRegion, TipSecurity } from "./client-options.ts";
export * from "./codec.ts";
export { type CounterStore, fileCounter } from "./counter.ts";
export type { TipCipher } from "./crypto.ts";
export {
  type EnvelopeContent,
  type EnvelopeHeader,
  isEnvelope,
  openEnvelope,
  readHeader,
  sealEnvelope,
} from "./envelope.ts";
export { authHash, deriveKey, deviceHash } from "./hashes.ts";
export { type SendFrameOptions, sendFrame } from "./send-frame.ts";
