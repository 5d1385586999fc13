import { describe, expectTypeOf, it } from "vitest";
import {
  Analysis,
  type AnalysisContext,
  type DeviceData,
  Resources,
  type ScopeRow,
  Utils,
} from "../../../src/index.ts";

describe("the types of an analysis", () => {
  it("default to rows", () => {
    const params = { token: "t", autostart: false };
    const plain = new Analysis((context, scope) => {
      expectTypeOf(context).toEqualTypeOf<AnalysisContext>();
      expectTypeOf(scope).toEqualTypeOf<ScopeRow[]>();
    }, params);
    expectTypeOf(plain).toEqualTypeOf<Analysis<ScopeRow[]>>();
    const own = new Analysis(async (_context: AnalysisContext, scope: { order: number }) => scope.order, params);
    expectTypeOf(own).toEqualTypeOf<Analysis<{ order: number }>>();
    const records = Analysis.use((_context, scope: DeviceData[]) => scope[0]?.time, params);
    expectTypeOf(records).toEqualTypeOf<Analysis<DeviceData[]>>();
  });

  it("pass the program's own properties to the services of a router", () => {
    const account = new Resources({ token: "t" });
    const scope: ScopeRow[] = [];
    const router = new Utils.AnalysisRouter({ scope, environment: {}, account, extra: 1 });
    router.register((given) => {
      expectTypeOf(given.extra).toEqualTypeOf<number>();
      expectTypeOf(given.scope).toEqualTypeOf<ScopeRow[]>();
      expectTypeOf(given.account).toEqualTypeOf<Resources>();
    });
  });
});
