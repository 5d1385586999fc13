/** Results of the platform by the members they must have. */
import {
  anyText,
  anything,
  boolean,
  both,
  date,
  dateOrNever,
  either,
  exactly,
  id,
  integer,
  like,
  list,
  mapOf,
  nullable,
  number,
  object,
  oneOf,
  record,
  text,
  uuid,
  without,
} from "./shape.ts";

const tag = object({ key: text, value: anyText });
export const tags = list(tag, 0);
const times = { created_at: date, updated_at: date };
const permission = oneOf("full", "write", "read");

export const device = object({
  id,
  profile: id,
  name: text,
  type: oneOf("mutable", "immutable", "hybrid", "legacy"),
  "description?": nullable(anyText),
  active: boolean,
  visible: boolean,
  connector: id,
  network: id,
  tags,
  "payload_decoder?": nullable(anyText),
  last_input: nullable(date),
  ...times,
  bucket: object({ id, name: text }),
});
export const deviceListed = object({ id, name: text, tags });
export const deviceData = object({
  id,
  device: id,
  variable: text,
  "value?": either(anyText, number, boolean),
  "unit?": text,
  group: text,
  time: date,
  "location?": object({ type: exactly("Point"), coordinates: list(number, 2) }),
  "metadata?": record,
});
export const deviceParam = object({ id, key: text, value: anyText, sent: boolean });
export const deviceToken = object({ token: uuid, name: text, permission });
export const tokenCreated = object({ token: text, permission, expire_date: dateOrNever, expire_time: dateOrNever });
export const chunk = object({
  id: like(/^\d+_\d+$/),
  from: like(/\+00:00$/),
  to: like(/\+00:00$/),
  amount: nullable(integer),
});
export const backup = object({ file_address: like(/\.csv$/), status: exactly("scheduled"), "chunk_id?": text });
export const tokenInfo = object({
  name: text,
  type: text,
  permission: oneOf("full", "write", "read", "deny"),
  serie_number: nullable(anyText),
  last_authorization: nullable(anyText),
  verification_code: nullable(anyText),
  expire_time: dateOrNever,
  ref_id: id,
  created_at: date,
  created_by: nullable(id),
});
export const tokenListed = object({ token: text, name: text, permission });

export const action = object({
  id,
  profile: id,
  name: text,
  type: oneOf("condition", "resource", "interval", "schedule", "mqtt_topic", "usage_alert", "condition_geofence"),
  action: object({ type: text }),
  "trigger?": list(record, 0),
  active: boolean,
  lock: boolean,
  trigger_when_unlock: boolean,
  tags,
  last_triggered: nullable(dateOrNever),
  ...times,
});
export const named = object({ id, name: text });
export const analysis = object({
  id,
  profile: id,
  name: text,
  "description?": nullable(anyText),
  active: boolean,
  run_on: oneOf("tago", "external"),
  runtime: text,
  "interval?": nullable(anyText),
  "variables?": list(object({ key: text, value: anything }), 0),
  tags,
  token: like(/^a-/),
  last_run: nullable(dateOrNever),
  ...times,
  "console?": nullable(list(anyText, 0)),
});
export const dashboard = object({
  id,
  label: text,
  type: oneOf("dashboard", "blueprint"),
  visible: boolean,
  tags,
  arrangement: list(object({ widget_id: id, x: number, y: number, width: number, height: number }), 0),
  tabs: list(object({ key: text, value: text }), 0),
  last_access: nullable(date),
  ...times,
});
export const widget = object({
  id,
  dashboard: id,
  label: text,
  type: text,
  display: record,
  "data?": nullable(list(record, 0)),
  "resource?": nullable(list(record, 0)),
  "analysis_run?": nullable(id),
});
export const widgetData = object({
  widget,
  content: list(object({ "data?": record, "resource?": record, result: list(record, 0), cacheTime: nullable(date) })),
});
export const dictionary = object({
  id,
  name: text,
  slug: like(/^[A-Z0-9_]+$/),
  fallback: text,
  languages: list(object({ code: text, active: boolean })),
  ...times,
});
export const texts = mapOf(anyText);
export const entity = object({
  id,
  profile: id,
  name: text,
  schema: mapOf(object({ type: text })),
  index: mapOf(object({ fields: list(text) })),
  tags,
  ...times,
});
export const entityRow = object({ id: text, ...times });
export const secret = both(object({ id, key: text, value_length: integer, tags, ...times }), without("value"));
export const notification = object({
  id,
  title: text,
  message: text,
  read: boolean,
  "buttons?": nullable(list(object({ id: text, label: text }), 0)),
  buttons_enabled: boolean,
  created_at: date,
});
export const runNotification = object({
  id,
  run_user: id,
  title: text,
  message: text,
  "buttons?": list(object({ id: text, label: text }), 0),
  read: boolean,
  created_at: date,
});
const otp = object({ "authenticator?": boolean, "sms?": boolean, "email?": boolean });
export const account = both(
  object({
    id,
    name: text,
    email: text,
    timezone: text,
    "company?": nullable(anyText),
    active: boolean,
    blocked: boolean,
    language: text,
    options: record,
    send_invoice: boolean,
    stripe_id: nullable(anyText),
    type: exactly("user"),
    plan: oneOf("free", "starter", "scale"),
    otp,
    last_login: nullable(date),
    ...times,
  }),
  without("password", "cpassword"),
);
export const profileListed = object({ id, name: text, logo_url: nullable(text), account: id, "from_share?": boolean });
export const accountLogin = object({
  type: exactly("user"),
  id,
  email: text,
  "company?": nullable(anyText),
  name: text,
  "phone?": nullable(anyText),
  profiles: list(profileListed),
});
const limits = object({
  input: integer,
  output: integer,
  sms: integer,
  email: integer,
  analysis: integer,
  data_records: integer,
  run_users: integer,
  push_notification: integer,
  file_storage: number,
});
const addons = object({ custom_dns: boolean, mobile: boolean });
export const profile = object({
  info: object({ id, account: id, name: text, logo_url: nullable(text), banner_url: nullable(text), ...times }),
  allocation: limits,
  addons,
  account_plan: oneOf("free", "starter", "scale"),
});
const amounts = Object.fromEntries(
  [
    "device",
    "bucket",
    "dashboard",
    "analysis",
    "action",
    "am",
    "run_users",
    "dictionary",
    "connectors",
    "networks",
    "tcore",
  ].map((name) => [name, integer]),
);
export const profileSummary = object({ limit: limits, limit_used: record, amount: object(amounts), addons });
export const statistic = object({ time: date, "input?": number, "output?": number, "data_records?": number });
export const auditLog = object({ queryId: text, status: oneOf("Running", "Complete") });
export const auditEvents = object({
  queryId: text,
  status: oneOf("Running", "Complete"),
  statistics: record,
  events: list(object({ resourceName: text, resourceID: id, message: text, who: id, date }), 0),
});
export const teamMember = object({ id, name: anyText, email: text, active: boolean, created_at: date });

export const runInfo = object({
  profile: id,
  active: boolean,
  name: text,
  sub_title: anyText,
  url: text,
  email_domain: nullable(anyText),
  signup_method: text,
  favicon: nullable(text),
  logo: nullable(text),
  signup_logo: nullable(text),
  sidebar_buttons: list(record, 0),
  signin_buttons: list(record, 0),
  signup_fields: list(record, 0),
  email_templates: record,
  theme: record,
  integration: record,
  security: record,
  sso_saml_active: boolean,
  anonymous_token: nullable(text),
  auth_token_ttl: text,
  dictionary: nullable(id),
});
export const runUser = both(
  object({
    id,
    name: text,
    email: text,
    timezone: text,
    active: boolean,
    tags,
    last_login: nullable(date),
    created_at: date,
  }),
  without("password"),
);
export const runLogin = object({ token: like(/^u-/), expire_date: dateOrNever, expire_time: dateOrNever });
const dns = object({ status: boolean, type: text, key: text, value: text });
export const customDomain = object({
  active: boolean,
  domain: text,
  subdomain: text,
  email: text,
  dns_ssl: dns,
  dns_page: dns,
  dns_email_1: dns,
  dns_email_2: dns,
  dns_email_3: dns,
  created_at: date,
});

export const subscription = object({
  account: id,
  plan: oneOf("free", "starter", "scale"),
  services: mapOf(object({ limit: number })),
  addons: record,
  current_cycle: object({ start: anything, end: anything }),
  processing: boolean,
  upcoming_invoice_total: number,
});
export const prices = object({
  plans: list(object({ name: text, price: number })),
  addons: list(object({ name: text, price: number })),
});
export const paymentMethod = object({ card: nullable(object({ brand: text, last4: text })) });
export const billingInformation = object({
  account: id,
  company: anyText,
  country: nullable(anyText),
  state: nullable(anyText),
  city: nullable(anyText),
  street: nullable(anyText),
  zip_code: nullable(anyText),
  comments: nullable(anyText),
  updated_at: date,
});
export const payment = object({
  stripe_id: text,
  total: number,
  currency: text,
  paid: boolean,
  status: text,
  card: nullable(record),
  created_at: date,
});
export const allocation = object({
  profile: id,
  input: number,
  output: number,
  analysis: number,
  data_records: number,
  sms: number,
});
export const coupon = object({
  code: text,
  amount_off: nullable(number),
  percentage_off: nullable(number),
  applies_to: nullable(list(text, 0)),
  duration_cycles: either(number, text),
});

export const network = object({ id, name: text, "description?": anyText, "public?": boolean });
export const connector = object({ id, name: text, "description?": anyText, "networks?": list(id, 0), ...times });
export const accessRule = object({
  id,
  profile: id,
  name: text,
  active: boolean,
  tags,
  ...times,
  permissions: list(object({ effect: oneOf("allow", "deny"), action: list(text), resource: list(text) })),
  targets: list(list(text)),
});
export const tcore = object({
  id,
  profile: id,
  name: text,
  active: boolean,
  connected: boolean,
  tags,
  machine_id: text,
  internet_ip: text,
  local_ips: text,
  last_connection: nullable(date),
  tcore_version: text,
  system_start_time: date,
  tcore_start_time: date,
  ...times,
});
export const template = object({ name: text, type: oneOf("dashboard", "analysis"), ...times });
const file = object({ filename: text, size: integer, last_modified: nullable(date), public: boolean });
export const fileListing = object({ files: list(file, 0), folders: list(text, 0), total: number, usage: number });
