import { z } from "zod";
import { DEVICE_SERIAL_MAX_CHARS } from "../../lib/core/limits.ts";
import { accessCreate } from "../access.ts";
import { actionCreate, actionTriggers } from "../action.ts";
import { analysisCreate } from "../analysis.ts";
import { id, jsonObject, tags as tagList } from "../common.ts";
import { dashboardCreate } from "../dashboard.ts";
import { deviceCreate } from "../device.ts";
import { dictionaryCreate, languageEdit } from "../dictionary.ts";
import { entityCreate } from "../entity.ts";
import { connectorCreate, networkCreate } from "../integration.ts";
import { notificationCreate } from "../notification.ts";
import { runEdit, runNotificationCreate, runUserEdit } from "../run.ts";
import { sqlCreate } from "../sql.ts";
import { widgetCreate } from "../widget.ts";
import { offset } from "./durations.ts";
import { historySchemas } from "./history.ts";
import { ledgerSchema } from "./ledger.ts";

type Shape = Readonly<Record<string, z.ZodType>>;
type RecordOf<Own extends Shape> = z.infer<z.ZodObject<Own>> & Readonly<Record<string, unknown>>;

/**
 * A record with additional fields beside those of the body that the platform's route accepts. Other fields are
 * rejected, unless the route stores them unchanged. `body` sees the record with its additional fields as they are
 * stored.
 */
function recordOf<const Own extends Shape>(body: z.ZodObject | undefined, own: Own): z.ZodType<RecordOf<Own>> {
  const fields = Object.fromEntries(Object.keys(body?.shape ?? {}).map((field) => [field, z.unknown().optional()]));
  const isLoose = body?._zod.def.catchall !== undefined;
  const shape = { ...fields, id: id.optional(), ...own };
  const record = (isLoose ? z.looseObject(shape) : z.strictObject(shape)).superRefine((value, context) => {
    for (const issue of body?.safeParse(value).error?.issues ?? [])
      context.addIssue({ code: "custom", path: [...issue.path], message: issue.message });
  });
  return record as unknown as z.ZodType<RecordOf<Own>>;
}

const checkedBy = (body: z.ZodType) =>
  jsonObject.superRefine((value, context) => {
    for (const issue of body.safeParse(value).error?.issues ?? [])
      context.addIssue({ code: "custom", path: [...issue.path], message: issue.message });
  });

export type RowValue =
  | string
  | { readonly one_of: readonly string[] }
  | { readonly below: number }
  | { readonly up_to: number; readonly digits: number }
  | { readonly days_ago: number; readonly unless: Readonly<Record<string, string>> }
  | { readonly text: string; readonly every: number }
  | { readonly object: Readonly<Record<string, RowValue>> };

/** What the files of a seed hold, by their names. */
export const sectionNames = [
  "accounts",
  "profiles",
  "networks",
  "connectors",
  "devices",
  "dashboards",
  "templates",
  "portal",
  "portal-users",
  "access-rules",
  "portal-notifications",
  "ledger",
  "entities",
  "dictionaries",
  "secrets",
  "cores",
  "files",
  "queries",
  "analyses",
  "actions",
  "notifications",
  "service-authorizations",
  "backups",
] as const;

let made: ReturnType<typeof makeSchemas> | undefined;

/** The checks of all sections; made on use, as most starts read no seed. */
export function sectionSchemas(): ReturnType<typeof makeSchemas> {
  made ??= makeSchemas();
  return made;
}

type Shared = ReturnType<typeof sharedSchemas>;

/** Fields of several sections. */
function sharedSchemas() {
  const name = z.string().min(1).max(255);
  const token = z.string().regex(/^([panu]-)?[0-9a-f-]{8,40}$|^at[0-9a-f]{32}$/, "Must be a token");
  const permission = z.enum(["full", "write", "read"]).optional();

  /** `{"site": "plant"}`, or the list the platform has. */
  const tags = z
    .union([
      z
        .record(z.string(), z.string())
        .transform((pairs) => Object.entries(pairs).map(([key, value]) => ({ key, value }))),
      tagList,
    ])
    .default([]);

  const text = z.union([z.string(), z.number(), z.boolean()]).transform(String);

  /** `{"threshold": "8"}`, or the list the platform has. */
  const pairs = z
    .union([
      z.record(z.string(), text).transform((all) => Object.entries(all).map(([key, value]) => ({ key, value }))),
      z.array(z.object({ key: z.string(), value: text.default("") })),
    ])
    .default([]);

  const param = z.union([
    text.transform((value) => ({ value, sent: true })),
    z.strictObject({ value: text, sent: z.boolean() }),
  ]);
  const params = z
    .union([
      z.record(z.string(), param).transform((all) => Object.entries(all).map(([key, each]) => ({ key, ...each }))),
      z.array(z.object({ key: z.string(), value: text.default(""), sent: z.boolean().default(false) })),
    ])
    .default([]);

  const named = z.strictObject({ name, token, permission }).optional();

  return { name, token, permission, named, path: z.string().min(1).max(1_000), when: offset(), tags, pairs, params };
}

/** Values of generated rows: a text, or how to draw one. */
const rowValue: z.ZodType<RowValue> = z.lazy(() =>
  z.union(
    [
      z.string(),
      z.strictObject({ one_of: z.array(z.string()).min(1) }),
      z.strictObject({ below: z.number().int().positive() }),
      z.strictObject({ up_to: z.number().positive(), digits: z.number().int().min(0).max(6) }),
      z.strictObject({ days_ago: z.number().int().positive(), unless: z.record(z.string(), z.string()).default({}) }),
      z.strictObject({ text: z.string(), every: z.number().int().positive() }),
      z.strictObject({ object: z.record(z.string(), rowValue) }),
    ],
    "Must be a text, or one of one_of, below, up_to, days_ago, text and object with its settings",
  ),
);
const generated = () =>
  z.strictObject({
    count: z.number().int().min(1).max(20_000),
    stream: z.string(),
    values: z.record(z.string(), rowValue),
  });

const triggers = z.superRefine<z.infer<typeof actionCreate>>(({ type, trigger }, context) => {
  for (const issue of actionTriggers(type).safeParse(trigger ?? []).error?.issues ?? [])
    context.addIssue({ code: "custom", path: ["trigger", ...issue.path], message: issue.message });
});

/** The account, who is in it, and what belongs to it as a whole. */
const accountSchemas = ({ name, token, permission, named, when, tags }: Shared) => ({
  accounts: recordOf(undefined, {
    name,
    email: z.email(),
    password: z.string().min(1),
    company: z.string().optional(),
    phone: z.string().nullable().optional(),
    plan: z.enum(["free", "starter", "scale"]).optional(),
    otp: z
      .strictObject({
        authenticator: z.string().optional(),
        sms: z.boolean().optional(),
        email: z.boolean().optional(),
      })
      .optional(),
  }),
  profiles: recordOf(undefined, {
    name,
    account: id,
    shared_with: z.array(id).default([]),
    tokens: z.array(z.strictObject({ name, token, permission, expires: when.optional() })).default([]),
  }),
  networks: recordOf(networkCreate, { token: named }),
  connectors: recordOf(connectorCreate, {}),
  portal: recordOf(runEdit, { custom_domain: jsonObject.optional() }),
  "portal-users": recordOf(runUserEdit, {
    email: z.email(),
    name,
    tags,
    password: z.string().min(1).optional(),
    active: z.boolean().default(true),
    token: named,
    values: z.record(z.string(), z.string()).default({}),
  }),
  "access-rules": recordOf(accessCreate, { tags }),
  "portal-notifications": recordOf(runNotificationCreate, { run_user: id, at: when }),
  notifications: recordOf(notificationCreate, {}),
  "service-authorizations": recordOf(undefined, { name, token, verification_code: z.string().optional() }),
  secrets: recordOf(undefined, {
    key: z.string().regex(/^[A-Z0-9_]{1,100}$/, "Must be made of A-Z, 0-9 and _"),
    value: z
      .union([z.string(), jsonObject])
      .transform((value) => (typeof value === "string" ? value : JSON.stringify(value)))
      .default("not-set"),
    tags,
  }),
  backups: recordOf(undefined, { at: when }),
});

/** Devices, what shows them, and what is stored beside them. */
const plantSchemas = ({ name, token, path, tags, params }: Shared) => {
  const { history } = historySchemas();
  const widgets = z.array(checkedBy(widgetCreate));
  return {
    devices: recordOf(deviceCreate, {
      tags,
      params,
      connector: id.optional(),
      network: id.optional(),
      token: token.optional(),
      serial: z.string().max(DEVICE_SERIAL_MAX_CHARS).optional(),
      authorization: token.optional(),
      history: history.optional(),
    }),
    dashboards: recordOf(dashboardCreate, {
      tags,
      tabs: z.array(z.looseObject({ key: z.string(), value: z.string(), widgets: widgets.default([]) })).default([]),
      widgets: widgets.default([]),
    }),
    templates: recordOf(undefined, {
      name,
      dashboard: id,
      image_logo: z.string().optional(),
      image_main: z.string().optional(),
    }),
    ledger: ledgerSchema(),
    entities: recordOf(entityCreate, { tags, rows: z.union([generated(), z.array(jsonObject)]).default([]) }),
    cores: recordOf(undefined, {
      name,
      active: z.boolean().optional(),
      connected: z.boolean().default(false),
      token: z.uuid().optional(),
      tags,
      machine_id: z.string().optional(),
      internet_ip: z.string().optional(),
      local_ips: z.string().optional(),
      computer_usage: z.array(jsonObject).default([]),
      summary: jsonObject.default({}),
      devices: z.array(z.strictObject({ id, name })).default([]),
    }),
    files: recordOf(undefined, {
      path,
      text: z.string().optional(),
      file: path.optional(),
      public: z.boolean().default(false),
    }),
  };
};

/** What runs, asks and translates. */
const logicSchemas = ({ name, token, path, tags, pairs }: Shared) => ({
  dictionaries: recordOf(dictionaryCreate, {
    texts: z.record(z.string(), languageEdit.shape.dictionary.unwrap()).default({}),
  }),
  queries: recordOf(sqlCreate, { tags }),
  analyses: recordOf(analysisCreate, {
    name,
    tags,
    variables: pairs,
    run_on: z.enum(["tago", "external"]).default("tago"),
    runtime: z.string().optional(),
    script: path.optional(),
    file_name: z.string().optional(),
    token: token.optional(),
  }),
  actions: recordOf(actionCreate.check(triggers), { tags }),
});

function makeSchemas() {
  const shared = sharedSchemas();
  return {
    ...accountSchemas(shared),
    ...plantSchemas(shared),
    ...logicSchemas(shared),
  } as const satisfies Record<SectionName, z.ZodType<Readonly<Record<string, unknown>>>>;
}

export type SectionName = (typeof sectionNames)[number];
export type Section<Name extends SectionName> = z.infer<ReturnType<typeof sectionSchemas>[Name]>;
/** `scenario.json`. */
export const scenarioSchema = () =>
  z.strictObject({
    extends: z.string().optional(),
    title: z.string().max(200).default(""),
    description: z.string().max(2_000).default(""),
    try: z.array(z.string()).default([]),
    /** The profile that everything belongs to. Default: the first one. */
    profile: id.optional(),
    /** When everything but the history was made. */
    created: z.iso.datetime({ precision: 3 }).optional(),
    lists: z.record(z.string(), z.array(z.unknown())).optional(),
  });
