export { Analysis, type AnalysisParams } from "./analysis.ts";
export type { AnalysisContext, AnalysisEnvironment, AnalysisFunction, EnvironmentItem, ScopeRow } from "./context.ts";
export type { AnalysisRouter, AnalysisRouterParams, RouterFunction, RouterResult, RouterService } from "./router.ts";
