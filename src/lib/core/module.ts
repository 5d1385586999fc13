import { type CallOptions, type ClientOptions, HttpClient, type RequestInput } from "../http/client.ts";
import { shownPath } from "../http/shown-path.ts";
import { ApiError, InputError, type RequestPlace } from "./errors.ts";
import { listParameters } from "./list-query.ts";
import type { Region } from "./regions.ts";
import type { PathParts, PathValues, Route } from "./route.ts";

/** What the constructor of every class takes. */
export interface GenericModuleParams extends ClientOptions {
  readonly token: string;
}

type CallInput<Path extends string> = Omit<RequestInput, "params"> &
  ([PathParts<Path>] extends [never]
    ? { readonly params?: Record<string, never> }
    : { readonly params: PathValues<Path> });

let readClient: (module: Module) => HttpClient;

/** The client of an object, for functions that make calls in its name. */
export function clientOf(module: Module): HttpClient {
  return readClient(module);
}

/** Base of every class that talks to the platform. */
export abstract class Module {
  protected readonly client: HttpClient;

  /** @throws InputError `Invalid Params` without params, `Invalid Token` without a token (specification, section 5) */
  constructor(params: GenericModuleParams | HttpClient) {
    if (params instanceof HttpClient) {
      this.client = params;
      return;
    }
    if (typeof params !== "object" || params === null) throw new InputError("Invalid Params", "params");
    if (!params.token) throw new InputError("Invalid Token", "token");
    this.client = new HttpClient(params);
  }

  /** The settings the object was made with. */
  protected get params(): ClientOptions {
    return this.client.options;
  }

  /**
   * Calls a route. The result type is what the platform documents; it is a promise about the server, not checked here.
   */
  protected call<Result, Path extends string = string>(route: Route<Path>, input: CallInput<Path>): Promise<Result> {
    return this.client.call(route, input as RequestInput) as Promise<Result>;
  }

  /**
   * Calls a list route with the list query and its defaults.
   *
   * @throws ApiError `INVALID_REPLY` when the answer is no list of objects
   */
  protected async page<Row>(
    route: Route,
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
    if (rows === null || rows === undefined) return [];
    if (Array.isArray(rows) && rows.every(isObject)) return rows as Row[];
    const url = `${this.client.addresses().api}${shownPath(route.path, rest.params)}`;
    throw misshapen(rows, { method: route.method, url });
  }

  static {
    readClient = (module) => module.client;
  }

  /** Calls a route without a token, for the operations anybody may use. */
  protected static anonymous<Result, Path extends string = string>(
    route: Route<Path>,
    input: CallInput<Path>,
    region?: Region,
  ): Promise<Result> {
    return anonymousClient(region).call(route, input as RequestInput) as Promise<Result>;
  }
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** The error for a success whose result is no list of objects. */
function misshapen(result: unknown, place: RequestPlace): ApiError {
  const found = Array.isArray(result)
    ? `a list with ${kindOf(result.find((row) => !isObject(row)))} where an object belongs`
    : `${kindOf(result)} where a list belongs`;
  return new ApiError(`Invalid reply from ${place.method} ${place.url}: ${found}`, {
    ...place,
    status: 200,
    statusText: "",
    code: "INVALID_REPLY",
    data: result,
  });
}

function anonymousClient(region: Region | undefined): HttpClient {
  return new HttpClient({ region });
}
