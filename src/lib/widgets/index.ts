export type { ReportEntry } from "./explain.ts";
export { type Inspection, inspectWidget, type Verdict } from "./inspect.ts";
export { type ConvertOptions, Migration } from "./migration.ts";
export {
  type DashboardPlan,
  type PlannedVerdict,
  type PlannedWidget,
  type PlanOptions,
  planDashboard,
  planWidget,
} from "./plan.ts";
export { type ConversionReport, convertWithReport, type ReportOptions } from "./report.ts";
