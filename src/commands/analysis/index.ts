import { option, optionPair } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import type { Command } from "../kit/command/define.ts";
import {
  type BodyField,
  bodyOptions,
  changedTags,
  needChange,
  needMembers,
  readBody,
  tagOptions,
  tagsOf,
} from "../kit/resource/body.ts";
import { crud } from "../kit/resource/crud.ts";
import { consoleCommand } from "./console.ts";
import { deployCommand } from "./deploy.ts";
import { devCommand } from "./dev.ts";
import { downloadCommand } from "./download.ts";
import { duplicateCommand } from "./duplicate.ts";
import { envCommands } from "./env.ts";
import { analysisFinder } from "./finder.ts";
import { initCommand } from "./init.ts";
import { modeCommand, tokenCommand } from "./mode.ts";
import { runCommand } from "./run.ts";
import { runtimes } from "./runtimes.ts";

/** An analysis as lists and `get` show it. Its token is shown by `analysis token` alone. */
interface AnalysisRow {
  readonly id: string;
  readonly name?: string;
  readonly run_on?: string;
}

const columns: readonly Column<AnalysisRow>[] = [
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

const fields: readonly BodyField[] = [
  { flag: "name", summary: "name of the analysis" },
  { flag: "description", summary: "description" },
  { flag: "active", off: "inactive", kind: "switch", summary: "let the analysis run" },
  { flag: "run-on", value: "place", summary: "the platform, or a machine of your own", choices: places },
  { flag: "interval", value: "text", summary: 'ignored by the platform: use "iot action create --interval"' },
];

const runtimeField: BodyField = {
  flag: "runtime",
  value: "name",
  summary: "what runs it on the platform; follows the last upload",
  choices: runtimes,
};

function withoutToken<Row extends { readonly token?: unknown }>({ token: _, ...row }: Row): Omit<Row, "token"> {
  return row;
}

const plainCommands = crud<AnalysisRow>({
  finder: analysisFinder,
  route: "/analysis",
  columns,
  fields: columns.map(({ key }) => key),
  nameOf: ({ id, name }) => name ?? id,
  info: async (client, id) => withoutToken(await client.analysis.info(id)),
  list: {
    options: [
      { name: "name", value: "text", summary: "analyses with this name; * stands for any text" },
      { name: "run-on", value: "place", summary: "those of the platform, or of machines of your own", choices: places },
      { name: "active", summary: "analyses that may run" },
      { name: "inactive", summary: "analyses that are switched off" },
    ],
    examples: [
      "iot analysis list",
      "iot analysis list --run-on external --fields id,name,last_run",
      "iot analysis list --active --tag purpose=report",
    ],
    plan(_ctx, input, request) {
      const name = option(input, "name");
      const place = option(input, "run-on");
      const active = optionPair(input, "active", "inactive");
      const filter = {
        ...request.filter,
        ...(name === undefined ? {} : { name }),
        ...(active === undefined ? {} : { active }),
      };
      // The platform ignores a filter of run_on.
      const here = place === undefined ? {} : { keep: ({ run_on }: AnalysisRow) => run_on === place };
      const fields = place === undefined ? request.fields : [...new Set([...request.fields, "run_on"])];
      return {
        request: { ...request, fields, filter },
        ...here,
        read: (client, query) => client.analysis.list(query as Parameters<typeof client.analysis.list>[0]),
      };
    },
  },
  get: {
    details: 'The token is left out; "iot analysis token" prints it.',
    examples: ['iot analysis get "name:report"', 'iot analysis get "name:report" --json'],
    columns: columns.map(({ hidden: _, ...column }) => column),
  },
  create: {
    options: [
      ...bodyOptions([...fields, runtimeField]),
      { name: "tag", value: "k=v", summary: "tag of the analysis", repeat: true },
    ],
    examples: [
      'iot analysis create --name "hourly report" --tag purpose=report',
      "iot analysis create --name alarm --run-on external --inactive",
    ],
    async body(ctx, input) {
      const body = await readBody(ctx, input, [...fields, runtimeField]);
      const tags = tagsOf(input);
      if (tags.length > 0) body["tags"] = tags;
      needMembers(body, "analysis", { name: '--name "hourly report"' });
      return body;
    },
    async send(client, body) {
      return (await client.analysis.create(body as Parameters<typeof client.analysis.create>[0])).id;
    },
    hint: ({ id }) => `Upload its script with "iot analysis deploy ${id} --file <path>".`,
  },
  update: {
    options: [...bodyOptions(fields), ...tagOptions],
    details: 'A change of --run-on makes a new token. Variables are changed with "iot analysis env".',
    examples: [
      'iot analysis update "name:report" --description "Every morning" --tag team=plant',
      'iot analysis update "name:report" --description "Mails how cold the freezer is"',
    ],
    async body(ctx, input, target) {
      const body = await readBody(ctx, input, fields);
      const current = async () => (await (await ctx.client()).analysis.info(target.id)).tags;
      Object.assign(body, await changedTags(input, current));
      needChange(body, "--inactive or --tag purpose=report");
      return body;
    },
    send: (client, id, body) => client.analysis.edit(id, body as Parameters<typeof client.analysis.edit>[1]),
  },
  delete: {
    examples: [
      'iot analysis delete "name:retired" --dry-run',
      'iot analysis delete "name:retired" "name:report" --dry-run',
    ],
    send: (client, id) => client.analysis.delete(id),
  },
});

export const commands: readonly Command[] = [
  ...plainCommands,
  duplicateCommand(columns),
  initCommand,
  deployCommand,
  downloadCommand,
  runCommand,
  consoleCommand,
  devCommand,
  modeCommand,
  tokenCommand,
  ...envCommands,
];
