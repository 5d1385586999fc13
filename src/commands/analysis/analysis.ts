import { runtimes } from "../kit/analyses/runtimes.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command } from "../kit/command/define.ts";
import { analysisFinder } from "../kit/finders/analysis.ts";
import { resource } from "../kit/resource/resource.ts";
import { resourceRoutes } from "../kit/resource/routes.ts";

/** An analysis as lists and `get` show it. Its token is shown by `analysis token` alone. */
interface AnalysisRow {
  readonly id: string;
  readonly name?: string;
  readonly run_on?: string;
}

export const columns: readonly Column<AnalysisRow>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "active", kind: "flag" },
  { key: "run_on" },
  { key: "last_run", kind: "time" },
  { key: "tags", kind: "tags" },
  { key: "runtime", hidden: true },
  { key: "interval", hidden: true },
  { key: "file_name", hidden: true },
  { key: "version", schema: { type: ["number", "string", "null"] }, hidden: true },
  { key: "description", hidden: true },
  { key: "locked_at", kind: "json", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
  { key: "updated_at", kind: "time", hidden: true },
];

const places = ["tago", "external"];

export const commands: readonly Command[] = resource<AnalysisRow>({
  finder: analysisFinder,
  route: resourceRoutes.analysis,
  api: ({ analysis }) => analysis,
  async info(client, id) {
    const { token: _, ...row } = await client.analysis.info(id);
    return row;
  },
  columns,
  fields: [
    { name: "name", kind: "content", needed: '--name "hourly report"', summary: "name of the analysis" },
    { name: "description", kind: "content", summary: "description" },
    { name: "active", off: "inactive", summary: "whether the analysis can run" },
    { name: "run-on", value: "place", summary: "where it runs: tago (the platform) or external", choices: places },
    {
      name: "runtime",
      only: "create",
      value: "name",
      summary: "runtime on the platform; set by the last upload",
      choices: runtimes,
    },
  ],
  tags: true,
  list: {
    // The platform ignores a filter of run_on.
    filterable: ["id", "name", "active"],
    sortable: ["name", "active", "run_on", "last_run", "created_at", "updated_at"],
    filters: [
      { name: "name", value: "text", summary: "analyses with this name; * matches any text" },
      {
        name: "run-on",
        value: "place",
        summary: "analyses that run on tago (the platform) or external",
        choices: places,
      },
      {
        name: "active",
        summary: "active analyses only",
        off: { name: "inactive", summary: "inactive analyses only" },
      },
    ],
    examples: [
      "iot analysis list",
      "iot analysis list --run-on external --fields id,name,last_run",
      "iot analysis list --active --tag purpose=report",
    ],
  },
  get: {
    details: 'The token is left out; "iot analysis token" prints it.',
    examples: ['iot analysis get "name:report"', 'iot analysis get "name:report" --json'],
  },
  create: {
    examples: [
      'iot analysis create --name "hourly report" --tag purpose=report',
      "iot analysis create --name alarm --run-on external --inactive",
    ],
    details: "To run it on a schedule: iot action create --interval 1h --analysis <id>.",
    hint: ({ id }) => `Upload its script with "iot analysis deploy ${id} --file <path>".`,
  },
  update: {
    change: "--inactive or --tag purpose=report",
    details: 'Changing --run-on creates a new token. Change variables with "iot analysis env".',
    examples: [
      'iot analysis update "name:report" --description "Every morning" --tag team=plant',
      'iot analysis update "name:report" --description "Mails how cold the freezer is"',
    ],
  },
  delete: {
    examples: [
      'iot analysis delete "name:retired" --dry-run',
      'iot analysis delete "name:retired" "name:report" --dry-run',
    ],
  },
});
