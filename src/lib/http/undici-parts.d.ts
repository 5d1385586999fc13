/** The single files of undici that are loaded on first use: the whole package costs five times as much to import. */
declare module "undici/lib/dispatcher/pool.js" {
  import type { Pool } from "undici";

  const PoolClass: new (origin: string, options?: Pool.Options) => Pool;
  export default PoolClass;
}
declare module "undici/lib/dispatcher/client.js" {
  import type { Client } from "undici";

  const ClientClass: new (origin: string | URL, options?: Client.Options) => Client;
  export default ClientClass;
}
declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  import type { EnvHttpProxyAgent } from "undici";

  const EnvHttpProxyAgentClass: new (options?: EnvHttpProxyAgent.Options) => EnvHttpProxyAgent;
  export default EnvHttpProxyAgentClass;
}
declare module "undici/lib/dispatcher/dispatcher.js" {
  const DispatcherClass: { readonly prototype: { connect?: object } };
  export default DispatcherClass;
}
declare module "undici/lib/api/api-connect.js" {
  const connectTunnel: object;
  export default connectTunnel;
}
