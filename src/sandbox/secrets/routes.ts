import { SECRET_KEY_MAX_CHARS, SECRET_MAX_CHARS, SECRET_MIN_CHARS } from "../../lib/core/limits.ts";
import { secretRoutes } from "../../lib/resources/secrets.ts";
import { secretCreate, secretEdit } from "../../schema/secret.ts";
import { ORDINARY_ACTIONS, onRecords } from "../access/catalogue.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { resource } from "../resource.ts";

const KEY = new RegExp(`^\\w{1,${SECRET_KEY_MAX_CHARS}}$`);

const gaps = {
  refused: {
    subject: "Secrets the platform rejects",
    choice:
      "400 Sorry, Internal Error for keys with other characters than letters, digits and _, keys in use, and values of fewer than 6 or more than 2,048 characters; the same for every kind of secret",
  },
} as const;

const hasKey = (app: App, profile: string, key: string): boolean =>
  app
    .collection("secret")
    .all(profile)
    .some((known) => known["key"] === key);

/** Secrets. The services read `value` from the collection; no response contains it. */
export const secrets = resource({
  tables: { secretRoutes },
  kind: "secret",
  thing: "Secret",
  keys: { key: "text" },
  defaults: secretRoutes.list.list ?? {},
  hidden: ["value"],
  tagged: true,
  backup: { file: "secrets" },
  routes: secretRoutes,
  rule: "secrets",
  access: { label: "Secrets", analysis: onRecords(...ORDINARY_ACTIONS) },
  create: { body: secretCreate, status: 200 },
  edit: { body: secretEdit },
  prepare: (app, body, { profile }) => {
    const key = "key" in body ? body.key.toUpperCase() : undefined;
    const isKeyBad = key !== undefined && (!KEY.test(key) || hasKey(app, profile, key));
    const length = body.value === undefined ? undefined : Array.from(body.value).length;
    const isValueBad = length !== undefined && (length < SECRET_MIN_CHARS || length > SECRET_MAX_CHARS);
    // The platform states no cause.
    if (isKeyBad || isValueBad) throw new PlatformError(400, "Sorry, Internal Error").assumed(gaps.refused);
    return { ...body, ...(key !== undefined && { key }), ...(length !== undefined && { value_length: length }) };
  },
  gaps,
});
