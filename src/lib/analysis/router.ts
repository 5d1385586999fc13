import type { Device } from "../clients/device.ts";
import { InputError } from "../core/errors.ts";
import { ProfileResources } from "../resources/profile-resources.ts";
import type { AnalysisContext, AnalysisEnvironment, TagoContext } from "./context.ts";
import { type Check, conditions, factsOf, type Predicate, setting } from "./router-conditions.ts";

/** Parameters of a router. Every service is called with them, including additional properties. */
export interface AnalysisRouterParams {
  /** The `data` of the run. */
  readonly scope: readonly object[] | object;
  /** Environment of the run: `Utils.envToJson(context.environment)`, or the array itself. */
  readonly environment: Readonly<Record<string, unknown>> | readonly AnalysisEnvironment[];
  /** Client of the services: an `Account` or a `Resources`. */
  readonly account?: ProfileResources | undefined;
  /** Device of the services. */
  readonly config_dev?: Device | undefined;
  /** Context of the run. */
  readonly context?: AnalysisContext | TagoContext | undefined;
}

/** A function that runs when its conditions match. */
export type RouterFunction<Params> = (params: Params) => unknown;

/** Result of `exec`. */
export interface RouterResult {
  /** True when at least one service was started. */
  status: boolean;
  /** Names of the functions that were started, in order. */
  services: string[];
}

/** One value, or several of which one must match. */
type OneOrMore<Value> = Value | readonly Value[];

/** One service and its conditions. All of them must match; a service without conditions always runs. */
export class RouterService<Params extends AnalysisRouterParams = AnalysisRouterParams> {
  // A method, so that a service with parameters of its own is a `RouterService` too.
  readonly #service: { run(params: Params): unknown };
  readonly #checks: Check[] = [];

  /** @internal */
  constructor(service: RouterFunction<never>) {
    this.#service = { run: service };
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
   * Matches when the field `serie` of a row has one of these values.
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
   * Matches when the custom button of a widget, a device list or a user list with one of these identifiers was pressed.
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
   * Matches when an environment variable of the run has one of these values; `undefined` is one that is not set.
   *
   * @example
   * ```ts
   * router.register(() => console.log("in production")).whenEnv("stage", "production");
   * ```
   */
  whenEnv(key: string, values?: OneOrMore<string | number | boolean>): this {
    return this.#when(setting(key), values);
  }

  /**
   * True when all conditions match.
   *
   * @example
   * ```ts
   * const [first] = router.services;
   * const isWanted = first?.verifyConditionsTrue(scope, Utils.envToJson(context.environment));
   * ```
   */
  verifyConditionsTrue(
    scope: AnalysisRouterParams["scope"],
    environment: AnalysisRouterParams["environment"],
  ): boolean {
    const run = factsOf(scope, environment);
    return this.#checks.every((matches) => matches(run));
  }

  /**
   * Calls the function, whatever its conditions.
   *
   * @example
   * ```ts
   * for (const service of router.services) await service.runService({ scope, environment: context.environment });
   * ```
   */
  runService(params: Params): unknown {
    return this.#service.run(params);
  }

  /**
   * Name of the function; empty when it has none.
   *
   * @example
   * ```ts
   * const names = router.services.map((service) => service.getServiceName());
   * ```
   */
  getServiceName(): string {
    return this.#service.run.name;
  }

  #when(predicate: Predicate, wanted: unknown): this {
    const values: readonly unknown[] = Array.isArray(wanted) ? [...wanted] : [wanted];
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
  /** The services, in the order they were added. */
  services: RouterService<Params>[] = [];
  readonly #params: Params;

  /** @throws InputError `The parameter 'account' must be an instance of a TagoIO Account.` */
  constructor(params: Params) {
    if (typeof params !== "object" || params === null) throw new InputError("Invalid Params", "params");
    if (params.account && !(params.account instanceof ProfileResources)) {
      throw new InputError("The parameter 'account' must be an instance of a TagoIO Account.", "account");
    }
    this.#params = params;
  }

  /**
   * Adds a function; set its conditions on the result. Functions are started in the order they were added.
   *
   * @example
   * ```ts
   * const router = new Utils.AnalysisRouter({ scope, environment: context.environment, account: resources });
   * router.register(async () => console.log("a tank was created")).whenInputFormID("create-tank");
   * ```
   */
  register(service: RouterFunction<Params>): RouterService<Params>;
  /** For functions that declare the type of their parameters, of `scope` above all. It is not checked. */
  register(service: RouterFunction<never>): RouterService<Params>;
  register(service: RouterFunction<never>): RouterService<Params> {
    if (typeof service !== "function") throw new InputError("Invalid service: it must be a function", "service");
    const added = new RouterService<Params>(service);
    this.services.push(added);
    return added;
  }

  /**
   * Starts the functions whose conditions all match, without waiting for any of them. A function that rejects stops no
   * other one; its rejection is unhandled unless the function catches it.
   *
   * @example
   * ```ts
   * const router = new Utils.AnalysisRouter({ scope, environment: context.environment, account: resources });
   * router.register(async function report() {}).whenVariables(["level", "temperature"]);
   * const { status, services: started } = await router.exec();
   * ```
   */
  async exec(): Promise<RouterResult> {
    const { scope, environment } = this.#params;
    const services: string[] = [];
    for (const service of this.services) {
      if (!service.verifyConditionsTrue(scope, environment)) continue;
      void service.runService(this.#params);
      services.push(service.getServiceName());
    }
    return { status: services.length > 0, services };
  }
}
