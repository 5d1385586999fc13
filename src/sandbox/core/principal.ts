export type TokenKind = "profile" | "analysis" | "run_user" | "network" | "service" | "device" | "dashboard" | "link";

export type Permission = "full" | "write" | "read" | "deny";

/** The caller of a request. */
export interface Principal {
  readonly kind: TokenKind | "anonymous";
  readonly profile: string;
  /** Id of the owner of the token: the profile, device, analysis, network ... */
  readonly refId: string;
  readonly permission: Permission;
  /** The token as stored, without prefix; empty for anonymous calls. Never log it. */
  readonly key: string;
}
