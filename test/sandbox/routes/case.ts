import type { Sandbox } from "../../../src/sandbox/index.ts";
import type { Shape } from "./shape.ts";

/** Who calls: one of the tokens of the seed, nobody, or a token the case makes. */
export type Caller = "profile" | "analysis" | "device" | "network" | "nobody";

/** What a call says besides method and path. */
interface Call {
  /** Values of the parts of the path. */
  readonly params?: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly query?: string;
  readonly body?: unknown;
  /** Instead of the caller's. */
  readonly token?: string;
}

/** The sandbox of the cases, with makers of what a call needs. */
export interface World {
  readonly sandbox: Sandbox;
  send<T>(method: string, path: string, body?: unknown, token?: string): Promise<T>;
  newDevice(members?: object): Promise<{ readonly id: string; readonly token: string }>;
  newDashboard(): Promise<string>;
  newWidget(members?: object): Promise<{ readonly dashboardID: string; readonly widgetID: string }>;
  /** A portal user that is signed in. */
  newUser(): Promise<PortalUser>;
  /** An account of its own, with a profile and its token. */
  newAccount(): Promise<{
    readonly email: string;
    readonly password: string;
    readonly profile: string;
    readonly token: string;
  }>;
  /** The newest code that was mailed. */
  code(): string;
  /** Token of the newest mail with a link. */
  mailedToken(): string;
  readonly runUrl: string;
}

interface PortalUser {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
}

interface RouteCase {
  /** Default: the profile's full token. */
  readonly as?: Caller;
  readonly given?: (world: World) => Call | Promise<Call>;
  readonly result: Shape;
}

export type RouteCases = Readonly<Record<string, RouteCase>>;
