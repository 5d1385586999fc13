import { InputError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { ProfileResources } from "../resources/profile-resources.ts";
import type { AnalysisEnvironment } from "./context.ts";

/** Parameters of a router. Every service is called with them, including additional properties. */
export interface AnalysisRouterParams {
  /** The `data` of the run. */
  readonly scope: readonly object[] | object;
  /** Environment of the run: `Utils.envToJson(context.environment)`, or the array itself. */
  readonly environment: Readonly<Record<string, unknown>> | readonly AnalysisEnvironment[];
  /** Client of the services: an `Account` or a `Resources`. */
  readonly account: ProfileResources;
}

/** A function that runs when its conditions match. */
export type RouterFunction<Params> = (params: Params) => unknown;

/** Result of `exec`. */
export interface RouterResult {
  /** True when at least one service ran. */
  status: boolean;
  /** Names of the functions that ran, in order. */
  services: string[];
}

/** One value, or several of which one must match. */
type OneOrMore<Value> = Value | readonly Value[];
type Row = Readonly<Record<string, unknown>>;

interface RunFacts {
  /** Rows of the scope that are objects. */
  readonly rows: readonly Row[];
  /** Values of the environment by key. */
  readonly settings: ReadonlyMap<string, unknown>;
}

type Check = (run: RunFacts) => boolean;
type Predicate = (run: RunFacts, wanted: readonly unknown[]) => boolean;

const row =
  (...fields: readonly string[]): Predicate =>
  ({ rows }, wanted) =>
    rows.some((one) => fields.some((field) => Object.hasOwn(one, field) && wanted.includes(one[field])));

const setting =
  (name: string): Predicate =>
  ({ settings }, wanted) =>
    settings.has(name) && wanted.includes(settings.get(name));

const either =
  (...predicates: readonly Predicate[]): Predicate =>
  (run, wanted) =>
    predicates.some((matches) => matches(run, wanted));

/** When each condition matches; one of the wanted values is enough. */
const conditions = {
  whenVariables: row("variable"),
  whenVariableLike: ({ rows }, wanted) =>
    rows.some(({ variable }) => typeof variable === "string" && wanted.some((part) => variable.includes(String(part)))),
  whenValues: row("value"),
  whenSeries: row("serie", "group"),
  whenInputFormID: row("input_form_button_id"),
  whenDeviceListIdentifier: either(row("device_list_button_id"), setting("_widget_exec")),
  whenUserListIdentifier: either(row("user_list_button_id"), setting("_widget_exec")),
  whenCustomBtnID: setting("_widget_exec"),
  whenParameterExists: ({ rows }, wanted) =>
    rows.some((one) => wanted.some((name) => typeof name === "string" && Object.hasOwn(one, name))),
  whenWidgetExec: setting("_widget_exec"),
  whenActionWhen: setting("_action_when"),
  whenActionType: setting("_action_type"),
} as const satisfies Readonly<Record<string, Predicate>>;

const listOf = (wanted: unknown): readonly unknown[] => (Array.isArray(wanted) ? [...wanted] : [wanted]);

/** The conditions of one service. All of them must match; a service without conditions always runs. */
export class RouterService {
  readonly #checks: Check[];

  /** @internal */
  constructor(checks: Check[]) {
    this.#checks = checks;
  }

  /**
   * Matches when a row has one of these variables.
   *
   * @example
   * ```ts
   * router.register(() => console.log("a level")).whenVariables(["level"]);
   * ```
   */
  whenVariables(variables: OneOrMore<string>): this {
    return this.#when(conditions.whenVariables, variables);
  }

  /**
   * Matches when the variable of a row contains one of these strings.
   *
   * @example
   * ```ts
   * router.register(() => console.log("tank_1_level, tank_2_level ...")).whenVariableLike("level");
   * ```
   */
  whenVariableLike(texts: OneOrMore<string>): this {
    return this.#when(conditions.whenVariableLike, texts);
  }

  /**
   * Matches when a row has one of these values; `1` and `"1"` differ.
   *
   * @example
   * ```ts
   * router.register(() => console.log("opened")).whenVariables("door").whenValues(["open", true]);
   * ```
   */
  whenValues(values: OneOrMore<string | number | boolean>): this {
    return this.#when(conditions.whenValues, values);
  }

  /**
   * Matches when a row belongs to one of these groups (series).
   *
   * @example
   * ```ts
   * router.register(() => console.log("of this group")).whenSeries("61f1b8a4b3d2f4001a2b3c4d");
   * ```
   */
  whenSeries(series: OneOrMore<string>): this {
    return this.#when(conditions.whenSeries, series);
  }

  /**
   * Matches when the button of an input form with one of these identifiers was pressed.
   *
   * @example
   * ```ts
   * router.register(() => console.log("sent")).whenInputFormID("create-tank");
   * ```
   */
  whenInputFormID(identifiers: OneOrMore<string>): this {
    return this.#when(conditions.whenInputFormID, identifiers);
  }

  /**
   * Matches when the button of a device list with one of these identifiers was pressed.
   *
   * @example
   * ```ts
   * router.register(() => console.log("pressed")).whenDeviceListIdentifier("restart-device");
   * ```
   */
  whenDeviceListIdentifier(identifiers: OneOrMore<string>): this {
    return this.#when(conditions.whenDeviceListIdentifier, identifiers);
  }

  /**
   * Matches when the button of a user list with one of these identifiers was pressed.
   *
   * @example
   * ```ts
   * router.register(() => console.log("pressed")).whenUserListIdentifier("invite-again");
   * ```
   */
  whenUserListIdentifier(identifiers: OneOrMore<string>): this {
    return this.#when(conditions.whenUserListIdentifier, identifiers);
  }

  /**
   * Matches when the custom button of a widget with one of these identifiers was pressed.
   *
   * @example
   * ```ts
   * router.register(() => console.log("pressed")).whenCustomBtnID("export");
   * ```
   */
  whenCustomBtnID(identifiers: OneOrMore<string>): this {
    return this.#when(conditions.whenCustomBtnID, identifiers);
  }

  /**
   * Matches when a row has a field with one of these names, whatever its value.
   *
   * @example
   * ```ts
   * router.register(() => console.log("a position")).whenParameterExists("location");
   * ```
   */
  whenParameterExists(names: OneOrMore<string>): this {
    return this.#when(conditions.whenParameterExists, names);
  }

  /**
   * Matches when a widget started the run with one of these operations.
   *
   * @example
   * ```ts
   * router.register(() => console.log("a row was removed")).whenWidgetExec("delete");
   * ```
   */
  whenWidgetExec(ways: OneOrMore<"insert" | "edit" | "delete" | (string & {})>): this {
    return this.#when(conditions.whenWidgetExec, ways);
  }

  /**
   * Matches when a resource action started the run on one of these events.
   *
   * @example
   * ```ts
   * router.register(() => console.log("a device was created")).whenActionType("resource").whenActionWhen("create");
   * ```
   */
  whenActionWhen(moments: OneOrMore<"create" | "update" | "delete" | (string & {})>): this {
    return this.#when(conditions.whenActionWhen, moments);
  }

  /**
   * Matches when an action of one of these types started the run.
   *
   * @example
   * ```ts
   * router.register(() => console.log("every hour")).whenActionType(["interval", "schedule"]);
   * ```
   */
  whenActionType(types: OneOrMore<"resource" | "condition" | "interval" | "schedule" | (string & {})>): this {
    return this.#when(conditions.whenActionType, types);
  }

  /**
   * Matches when an environment variable of the run has one of these values.
   *
   * @example
   * ```ts
   * router.register(() => console.log("in production")).whenEnv("stage", "production");
   * ```
   */
  whenEnv(key: string, values: OneOrMore<string | number | boolean>): this {
    return this.#when(setting(key), values);
  }

  #when(predicate: Predicate, wanted: unknown): this {
    const values = listOf(wanted);
    this.#checks.push((run) => predicate(run, values));
    return this;
  }
}

/**
 * Runs the functions whose conditions match the trigger of an analysis.
 *
 * @example
 * ```ts
 * import { Analysis, Resources, Utils } from "iotdeck";
 *
 * const onForm = async (): Promise<void> => {};
 *
 * Analysis.use(async (context, scope) => {
 *   const account = new Resources();
 *   const router = new Utils.AnalysisRouter({ scope, environment: context.environment, account });
 *   router.register(onForm).whenInputFormID("create-sensor");
 *   const { services } = await router.exec();
 *   context.log("Ran:", services);
 * });
 * ```
 */
export class AnalysisRouter<Params extends AnalysisRouterParams = AnalysisRouterParams> {
  readonly #params: Params;
  readonly #services: { readonly run: RouterFunction<Params>; readonly checks: readonly Check[] }[] = [];

  /** @throws InputError `The parameter 'account' must be an instance of a TagoIO Account.` */
  constructor(params: Params) {
    if (typeof params !== "object" || params === null) throw new InputError("Invalid Params", "params");
    if (!(params.account instanceof ProfileResources)) {
      throw new InputError("The parameter 'account' must be an instance of a TagoIO Account.", "account");
    }
    this.#params = params;
  }

  /**
   * Adds a function; set its conditions on the result. Functions run in the order they were added.
   *
   * @example
   * ```ts
   * const router = new Utils.AnalysisRouter({ scope, environment: context.environment, account: resources });
   * router.register(async () => console.log("a tank was created")).whenInputFormID("create-tank");
   * ```
   */
  register(service: RouterFunction<Params>): RouterService {
    if (typeof service !== "function") throw new InputError("Invalid service: it must be a function", "service");
    const checks: Check[] = [];
    this.#services.push({ run: service, checks });
    return new RouterService(checks);
  }

  /**
   * Runs the functions whose conditions all match, one after the other. Rejects with the error of the first that fails.
   *
   * @example
   * ```ts
   * const router = new Utils.AnalysisRouter({ scope, environment: context.environment, account: resources });
   * router.register(async function report() {}).whenVariables(["level", "temperature"]);
   * const { status, services: ran } = await router.exec();
   * ```
   */
  async exec(): Promise<RouterResult> {
    const facts = factsOf(this.#params);
    const services: string[] = [];
    for (const { run, checks } of this.#services) {
      if (!checks.every((matches) => matches(facts))) continue;
      await run(this.#params);
      services.push(run.name);
    }
    return { status: services.length > 0, services };
  }
}

function factsOf({ scope, environment }: AnalysisRouterParams): RunFacts {
  const rows: readonly unknown[] = Array.isArray(scope) ? scope : [scope];
  return { rows: rows.filter(isRecord), settings: new Map(settingsOf(environment)) };
}

function settingsOf(environment: unknown): [string, unknown][] {
  if (!Array.isArray(environment)) return isRecord(environment) ? Object.entries(environment) : [];
  return environment.filter(isRecord).map(({ key, value }) => [String(key), value]);
}
