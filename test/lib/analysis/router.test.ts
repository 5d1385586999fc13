import { describe, expect, it } from "vitest";
import { Account, Device, InputError, Resources, type RouterService, Utils } from "../../../src/index.ts";

const account = new Account({ token: "t" });
const scope = [
  { variable: "temperature", value: 21, group: "g1" },
  {
    variable: "state",
    value: "on",
    serie: "s1",
    input_form_button_id: "form-1",
    device_list_button_id: "device-1",
    user_list_button_id: "user-1",
    empty: null,
  },
];
const environment = { _widget_exec: "insert", _action_when: "create", _action_type: "resource", MODE: "x" };

async function runs(condition: (service: RouterService) => unknown, changes: object = {}): Promise<boolean> {
  const router = new Utils.AnalysisRouter({ scope, environment, account, ...changes });
  let ran = 0;
  const service = router.register(() => {
    ran += 1;
  });
  condition(service);
  const { status } = await router.exec();
  expect(ran).toBe(status ? 1 : 0);
  return status;
}

describe("the conditions of a router", () => {
  it.each<[string, (service: RouterService) => unknown, boolean]>([
    ["whenVariables, that variable", (s) => s.whenVariables("state"), true],
    ["whenVariables, one of several", (s) => s.whenVariables(["other", "state"]), true],
    ["whenVariables, a part of a name", (s) => s.whenVariables("stat"), false],
    ["whenVariables, none wanted", (s) => s.whenVariables([]), false],
    ["whenVariableLike, a part of a name", (s) => s.whenVariableLike("temp"), true],
    ["whenVariableLike, one of several", (s) => s.whenVariableLike(["zz", "tat"]), true],
    ["whenVariableLike, no part", (s) => s.whenVariableLike("zz"), false],
    ["whenValues, a number", (s) => s.whenValues(21), true],
    ["whenValues, the number as text", (s) => s.whenValues("21"), false],
    ["whenValues, one of several", (s) => s.whenValues([1, "on"]), true],
    ["whenSeries, the series", (s) => s.whenSeries("s1"), true],
    ["whenSeries, the group", (s) => s.whenSeries("g1"), false],
    ["whenSeries, another", (s) => s.whenSeries("zz"), false],
    ["whenInputFormID, that button", (s) => s.whenInputFormID("form-1"), true],
    ["whenInputFormID, another", (s) => s.whenInputFormID("insert"), false],
    ["whenDeviceListIdentifier, in the scope", (s) => s.whenDeviceListIdentifier("device-1"), true],
    ["whenDeviceListIdentifier, in the settings", (s) => s.whenDeviceListIdentifier("insert"), true],
    ["whenDeviceListIdentifier, of users", (s) => s.whenDeviceListIdentifier("user-1"), false],
    ["whenUserListIdentifier, in the scope", (s) => s.whenUserListIdentifier("user-1"), true],
    ["whenUserListIdentifier, in the settings", (s) => s.whenUserListIdentifier("insert"), true],
    ["whenUserListIdentifier, of devices", (s) => s.whenUserListIdentifier("device-1"), false],
    ["whenCustomBtnID, in the settings", (s) => s.whenCustomBtnID("insert"), true],
    ["whenCustomBtnID, of a device list", (s) => s.whenCustomBtnID("device-1"), true],
    ["whenCustomBtnID, of a user list", (s) => s.whenCustomBtnID("user-1"), true],
    ["whenCustomBtnID, of an input form", (s) => s.whenCustomBtnID("form-1"), false],
    ["whenCustomBtnID, another", (s) => s.whenCustomBtnID("zz"), false],
    ["whenParameterExists, with an empty value", (s) => s.whenParameterExists("empty"), true],
    ["whenParameterExists, missing", (s) => s.whenParameterExists("absent"), false],
    ["whenParameterExists, of every object", (s) => s.whenParameterExists("toString"), false],
    ["whenWidgetExec, that way", (s) => s.whenWidgetExec("insert"), true],
    ["whenWidgetExec, another", (s) => s.whenWidgetExec("edit"), false],
    ["whenActionWhen, that moment", (s) => s.whenActionWhen(["update", "create"]), true],
    ["whenActionWhen, another", (s) => s.whenActionWhen("delete"), false],
    ["whenActionType, that type", (s) => s.whenActionType("resource"), true],
    ["whenActionType, another", (s) => s.whenActionType("condition"), false],
    ["whenEnv, that value", (s) => s.whenEnv("MODE", "x"), true],
    ["whenEnv, one of several", (s) => s.whenEnv("MODE", ["y", "x"]), true],
    ["whenEnv, another value", (s) => s.whenEnv("MODE", "y"), false],
    ["whenEnv, a key that is not set", (s) => s.whenEnv("toString", "x"), false],
    ["whenEnv, no value, a key that is not set", (s) => s.whenEnv("toString"), true],
    ["whenEnv, no value, a key that is set", (s) => s.whenEnv("MODE", undefined), false],
    ["no condition", (s) => s, true],
    ["two that hold", (s) => s.whenVariables("state").whenEnv("MODE", "x"), true],
    ["two of which one fails", (s) => s.whenVariables("state").whenEnv("MODE", "y"), false],
  ])("%s", async (_name, condition, expected) => {
    expect(await runs(condition)).toBe(expected);
  });

  it("match a missing field or setting when undefined is wanted", async () => {
    expect(await runs((s) => s.whenVariables(undefined as never), { scope: [{}] })).toBe(true);
    expect(await runs((s) => s.whenVariables(undefined as never))).toBe(false);
    expect(await runs((s) => s.whenWidgetExec(undefined as never), { environment: {} })).toBe(true);
    expect(await runs((s) => s.whenWidgetExec(undefined as never))).toBe(false);
  });

  it.each<[string, unknown, boolean]>([
    ["a single object", { variable: "state" }, true],
    ["rows that are no objects", [null, 1, "state"], false],
    ["nothing", undefined, false],
    ["a text", "state", false],
  ])("read a scope that is %s", async (_name, odd, expected) => {
    expect(await runs((s) => s.whenVariables("state"), { scope: odd })).toBe(expected);
  });

  it("accept the environment as the array of the context", async () => {
    const list = [{ key: "MODE", value: "x" }, null];
    expect(await runs((s) => s.whenEnv("MODE", "x"), { environment: list })).toBe(true);
    expect(await runs((s) => s.whenEnv("MODE", "x"), { environment: undefined })).toBe(false);
  });

  it("do not follow later changes to an array", async () => {
    const wanted = ["state"];
    expect(
      await runs((s) => {
        s.whenVariables(wanted);
        wanted.pop();
      }),
    ).toBe(true);
  });
});

describe("AnalysisRouter", () => {
  it("starts the matching services in order without waiting, with all parameters of the program", async () => {
    const context = { token: "t", analysis_id: "a", environment: [], log: () => undefined };
    const params = { scope, environment, account, context, config_dev: new Device({ token: "d" }), extra: { n: 1 } };
    const router = new Utils.AnalysisRouter(params);
    const order: string[] = [];
    const got: unknown[] = [];
    async function first(given: typeof params): Promise<void> {
      order.push("first begins");
      await new Promise((resolve) => setImmediate(resolve));
      got.push(given);
      order.push("first ends");
    }
    function second(given: { extra: { n: number } }): void {
      order.push(`second ${given.extra.n}`);
    }
    router.register(first).whenVariables("state");
    router.register(() => order.push("never")).whenVariables("other");
    router.register(second);
    expect(await router.exec()).toEqual({ status: true, services: ["first", "second"] });
    expect(order).toEqual(["first begins", "second 1"]);
    await expect.poll(() => order).toEqual(["first begins", "second 1", "first ends"]);
    expect(got[0]).toBe(params);
  });

  it("returns status false when nothing ran", async () => {
    const router = new Utils.AnalysisRouter({ scope, environment, account });
    router.register(() => undefined).whenVariables("other");
    expect(await router.exec()).toEqual({ status: false, services: [] });
  });

  it("starts the other services when one rejects, and leaves the rejection unhandled", async () => {
    const unhandled: unknown[] = [];
    const earlier = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection");
    process.on("unhandledRejection", (reason) => unhandled.push(reason));
    try {
      const router = new Utils.AnalysisRouter({ scope, environment });
      router.register(async function failing() {
        throw new Error("boom");
      });
      router.register(function other() {});
      expect(await router.exec()).toEqual({ status: true, services: ["failing", "other"] });
      await expect.poll(() => unhandled).toEqual([new Error("boom")]);
    } finally {
      process.removeAllListeners("unhandledRejection");
      for (const listener of earlier) process.on("unhandledRejection", listener);
    }
  });

  it("rejects with what a service throws before it returns", async () => {
    const router = new Utils.AnalysisRouter({ scope, environment });
    router.register(() => {
      throw new Error("boom");
    });
    await expect(router.exec()).rejects.toThrow("boom");
  });

  it("shows its services, with their names and conditions", async () => {
    const router = new Utils.AnalysisRouter({ scope, environment });
    const report = router.register(function report() {
      return "done";
    });
    report.whenEnv("MODE", "x");
    expect(router.services).toEqual([report]);
    expect(report.getServiceName()).toBe("report");
    expect(report.verifyConditionsTrue(scope, environment)).toBe(true);
    expect(report.verifyConditionsTrue(scope, {})).toBe(false);
    expect(report.runService({ scope, environment })).toBe("done");
  });

  it.each([undefined, null, account, new Resources({ token: "t" })])("accepts %o as an account", (value) => {
    expect(() => new Utils.AnalysisRouter({ scope, environment, account: value as never })).not.toThrow();
  });

  it.each([{}, "account"])("refuses %s as an account", (value) => {
    const make = (): unknown => new Utils.AnalysisRouter({ scope, environment, account: value as never });
    expect(make).toThrow(InputError);
    expect(make).toThrow("The parameter 'account' must be an instance of a TagoIO Account.");
  });

  it("rejects missing parameters and a service that is not a function", () => {
    expect(() => new Utils.AnalysisRouter(undefined as never)).toThrow("Invalid Params");
    const router = new Utils.AnalysisRouter({ scope, environment, account });
    expect(() => router.register("service" as never)).toThrow("Invalid service: it must be a function");
  });
});
