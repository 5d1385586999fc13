import { z } from "zod";
import { MAX_NOTIFICATION_BUTTONS, RUN_USER_NAME_MAX_CHARS } from "../lib/core/limits.ts";
import type {
  CustomDomainCreate,
  GenericID,
  RunEditInfo,
  RunEmailTest,
  RunNotificationCreate,
  RunNotificationInfo,
  RunSAMLEditInfo,
  UserCreateInfo,
  UserEditInfo,
} from "../lib/resources/index.ts";
import { emailAddress } from "./account.ts";
import { id, jsonObject, tags } from "./common.ts";

const text = z.string().max(1_000);
const longText = z.string().max(100_000);
const nullable = text.nullable();

/** Body of `PUT /run`, without the fields that only the server sets. */
export const runEdit = z.object({
  active: z.boolean().exactOptional(),
  name: text.exactOptional(),
  sub_title: text.exactOptional(),
  url: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i, "Invalid host name")
    .max(253)
    .exactOptional(),
  email_domain: nullable.exactOptional(),
  signup_method: text.exactOptional(),
  favicon: nullable.exactOptional(),
  logo: nullable.exactOptional(),
  logo_options: jsonObject.exactOptional(),
  signup_logo: nullable.exactOptional(),
  signup_logo_options: jsonObject.exactOptional(),
  sidebar_buttons: z.array(jsonObject).max(100).exactOptional(),
  signin_buttons: z.array(jsonObject).max(100).exactOptional(),
  signup_fields: z.array(jsonObject).max(100).exactOptional(),
  email_templates: z.record(z.string(), z.object({ subject: text, value: longText })).exactOptional(),
  theme: z.record(z.string(), text).exactOptional(),
  feature_devicewifisetup: jsonObject.nullable().exactOptional(),
  feature_geolocation: jsonObject.nullable().exactOptional(),
  integration: jsonObject.exactOptional(),
  security: jsonObject.exactOptional(),
  sso_saml_active: z.boolean().exactOptional(),
  auth_token_ttl: text.exactOptional(),
  dictionary: id.nullable().exactOptional(),
}) satisfies z.ZodType<Omit<RunEditInfo, "sidebar_buttons" | "signin_buttons" | "signup_fields">>;

const userOptions = z.object({
  decimal_separator: text.exactOptional(),
  thousand_separator: text.exactOptional(),
  date_format: text.exactOptional(),
  time_format: z.enum(["12", "24"]).exactOptional(),
  show_last_updated_at: text.exactOptional(),
});

const password = z.string().min(1).max(1_000);

/** Fields that users may change themselves. */
const ownFields = {
  name: z.string().min(1).max(RUN_USER_NAME_MAX_CHARS).exactOptional(),
  timezone: text.exactOptional(),
  company: text.exactOptional(),
  phone: nullable.exactOptional(),
  language: text.exactOptional(),
  newsletter: z.boolean().nullable().exactOptional(),
  options: userOptions.exactOptional(),
};

const created = {
  name: z.string().min(1).max(RUN_USER_NAME_MAX_CHARS),
  email: emailAddress,
  password,
  timezone: text.min(1),
};

/** Body of `POST /run/users`. `type: "anonymous"` creates the user of public dashboards. */
export const runUserCreate = z.union([
  z.object({ ...ownFields, type: z.literal("anonymous"), name: created.name, tags: tags.exactOptional() }),
  z.object({
    ...ownFields,
    ...created,
    active: z.boolean().exactOptional(),
    tags: tags.exactOptional(),
  }) satisfies z.ZodType<Omit<UserCreateInfo, "options">>,
]) satisfies z.ZodType<Partial<Omit<UserCreateInfo, "options">>>;

/** Body of `PUT /run/users/:id`. The email cannot change. */
export const runUserEdit = z.object({
  ...ownFields,
  password: password.exactOptional(),
  active: z.boolean().exactOptional(),
  tags: tags.exactOptional(),
}) satisfies z.ZodType<Omit<UserEditInfo, "options">>;

/** Body of `POST /run/:url/signup`. */
export const runSignUp = z.object({ ...ownFields, ...created, tags: tags.exactOptional() }) satisfies z.ZodType<
  Omit<UserCreateInfo, "options">
>;

/** Body of `PUT /run/:url/info`. */
export const runSelfEdit = z.object({ ...ownFields, password: password.exactOptional() }) satisfies z.ZodType<
  Omit<UserEditInfo, "options">
>;

/** Body of `POST /run/email_test`. */
export const runEmailTest = z.object({ subject: text, body: longText }) satisfies z.ZodType<RunEmailTest>;

const button = z.looseObject({
  id: z.string().regex(/^\S+$/, "No spaces").max(100),
  label: text,
  color: text.exactOptional(),
  url: text.exactOptional(),
});

const notification = {
  title: text.min(1),
  message: longText,
  buttons: z.array(button).max(MAX_NOTIFICATION_BUTTONS, `At most ${MAX_NOTIFICATION_BUTTONS} buttons`).exactOptional(),
  buttons_enabled: z.boolean().exactOptional(),
  buttons_autodisable: z.boolean().exactOptional(),
  read: z.boolean().exactOptional(),
};

/** Body of `POST /run/notification`. */
export const runNotificationCreate = z.object({
  ...notification,
  run_user: z.union([id, z.array(id).min(1).max(1_000)]),
}) satisfies z.ZodType<Omit<RunNotificationCreate, "buttons">>;

/** Body of `PUT /run/notification/:id`. */
export const runNotificationEdit = z.object({
  ...notification,
  title: notification.title.exactOptional(),
  message: notification.message.exactOptional(),
}) satisfies z.ZodType<Partial<Omit<RunNotificationCreate, "buttons">>>;

/** Body of `PUT /run/:url/notification`. */
export const runNotificationMark = z.object({
  notification_ids: z.array(id).max(1_000),
  read: z.boolean(),
}) satisfies z.ZodType<{ notification_ids: GenericID[]; read: NonNullable<RunNotificationInfo["read"]> }>;

const mapping = z.object({
  email: text.exactOptional(),
  firstName: text.exactOptional(),
  lastName: text.exactOptional(),
  phone: text.exactOptional(),
  company: text.exactOptional(),
  language: text.exactOptional(),
  timezone: text.exactOptional(),
  tags: z.record(z.string(), text).exactOptional(),
});

/** Body of `PUT /run/sso/saml`. */
export const samlEdit = z.object({
  idp_metadata: z.base64().max(500_000).exactOptional(),
  mapping: mapping.exactOptional(),
}) satisfies z.ZodType<RunSAMLEditInfo>;

const hostLabel = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i, "Invalid domain")
  .max(200);

/** Body of `POST /run/customdomain/:profile`. */
export const customDomainCreate = z.object({
  domain: hostLabel,
  subdomain: hostLabel,
  email: emailAddress,
}) satisfies z.ZodType<CustomDomainCreate>;
