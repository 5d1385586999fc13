import { InputError } from "../core/errors.ts";
import { environment } from "../core/platform.ts";
import type { Region } from "../core/regions.ts";
import { type CallOptions, type ClientOptions, HttpClient, type RequestInput } from "./client.ts";
import { listParameters } from "./list-query.ts";
import type { ResultKind, ResultOf } from "./result-kind.ts";
import type { PathParts, PathValues, Route } from "./route.ts";

/** What the constructor of every class takes. */
export interface GenericModuleParams extends ClientOptions {
  /** Token of what the object works on. A missing one is an `InputError`. */
  token?: string | undefined;
}

/** Parameters without a token get the one of the analysis that is running. */
export function withAnalysisToken(params: Partial<GenericModuleParams> | undefined): GenericModuleParams {
  return { token: environment("T_ANALYSIS_TOKEN") ?? "", ...params };
}

type CallInput<Path extends string> = Omit<RequestInput, "params"> &
  ([PathParts<Path>] extends [never]
    ? { readonly params?: Record<string, never> }
    : { readonly params: PathValues<Path> });

/**
 * Base of every class that talks to the platform. A call fails with `ApiError` when the platform rejects it, with
 * `RequestError` when no usable response arrives, with `InputError` for a wrong argument, before anything is sent, and
 * with `CancelledError` when its signal is aborted. String results are the messages of the platform.
 */
export abstract class Module {
  /**
   * For functions that make calls in the name of an object.
   *
   * @internal
   */
  readonly client: HttpClient;

  /** @throws InputError `Invalid Params` without params, `Invalid Token` without a token */
  constructor(params: GenericModuleParams | HttpClient) {
    if (params instanceof HttpClient) {
      this.client = params;
      return;
    }
    if (!params) throw new InputError("Invalid Params", "params");
    if (!params.token) throw new InputError("Invalid Token", "token");
    this.client = new HttpClient(params);
  }

  /** The settings the object was made with. */
  protected get params(): ClientOptions {
    return this.client.options;
  }

  /**
   * Calls a route. The result type is what the platform documents: a promise about the server, of which only the kind of
   * the route (`result`) is checked.
   */
  protected call<Result extends ResultOf<Kind>, Path extends string, Kind extends ResultKind>(
    route: Route<Path, Kind>,
    input: CallInput<Path>,
  ): Promise<Result> {
    return this.client.call(route, input as RequestInput) as Promise<Result>;
  }

  /**
   * Calls a list route with the list query and its defaults.
   *
   * @throws ApiError `INVALID_REPLY` when the result is no list
   */
  protected async page<Row extends object>(
    route: Route<string, "list">,
    query: object | undefined,
    input: CallOptions & {
      readonly params?: Readonly<Record<string, string>>;
      readonly extra?: Record<string, unknown>;
    } = {},
  ): Promise<Row[]> {
    const { extra, ...rest } = input;
    const parameters = listParameters(route.list ?? {}, query as Record<string, unknown> | undefined);
    const rows = await this.client.call(route, {
      ...rest,
      query: extra === undefined ? parameters : { ...parameters, ...extra },
    });
    return rows as Row[];
  }

  /** Calls a route without a token, for the operations anybody may use. */
  protected static anonymous<Result extends ResultOf<Kind>, Path extends string, Kind extends ResultKind>(
    route: Route<Path, Kind>,
    input: CallInput<Path>,
    region?: Region,
  ): Promise<Result> {
    return anonymousClient(region).call(route, input as RequestInput) as Promise<Result>;
  }
}

function anonymousClient(region: Region | undefined): HttpClient {
  return new HttpClient({ region });
}
