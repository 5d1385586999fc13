import { domainRecords } from "../portal/custom-domain.ts";
import { editPortal } from "../portal/settings.ts";
import { writeSetting } from "../store/settings.ts";
import { type Filling, fillEach, momentAt, timesOf } from "./filling.ts";
import { passwordOf } from "./published.ts";

const OPTIONS = {
  decimal_separator: ".",
  thousand_separator: ",",
  date_format: "MM/DD/YYYY",
  time_format: "24",
} as const;

const isAnonymous = ({ email }: { readonly email: string }): boolean => email.startsWith("anonymous@");

/** The portal of the profile, its users, their access rules and notifications. */
export function fillPortal(filling: Filling): void {
  const { app, layer, profile } = filling;
  const times = timesOf(filling);
  const anonymous = layer.of("portal-users").find(({ record }) => isAnonymous(record))?.record.token;
  fillEach(filling, "portal", ({ id: _, custom_domain: domain, ...portal }) => {
    editPortal(app.db, profile, { ...portal, ...times, ...(anonymous && { anonymous_token: anonymous.token }) });
    if (domain === undefined) return;
    const records = domainRecords(`${String(domain["subdomain"])}.${String(domain["domain"])}`, "5eed");
    const document = { ...domain, ...records, created_at: layer.created };
    writeSetting(app.db, "profile", profile, "custom_domain", document);
  });
  fillUsers(filling);
  fillEach(filling, "access-rules", ({ tags, ...rule }) => {
    app.collection("am").insert(profile, { active: true, tags, ...rule, ...times });
  });
  fillEach(filling, "portal-notifications", ({ id: _, at, ...message }) => {
    const defaults = { buttons: [], buttons_enabled: true, buttons_autodisable: false, read: false };
    app.collection("run_notification").insert(profile, { ...defaults, ...message, created_at: momentAt(filling, at) });
  });
}

function fillUsers(filling: Filling): void {
  const { app, profile } = filling;
  const common = { timezone: "UTC", language: "en-us", phone: null, newsletter: false, options: OPTIONS };
  fillEach(filling, "portal-users", (record) => {
    const { token, values, password: _, id, email, name, active, ...own } = record;
    const password = passwordOf(record);
    app.runUsers.create(profile, {
      ...common,
      ...timesOf(filling),
      ...{ id, email, name, active },
      ...own,
      ...(password === undefined ? {} : { password }),
    });
    if (token !== undefined)
      app.tokens.create({ kind: "run_user", profile, refId: id, name: token.name, token: token.token });
    for (const [key, value] of Object.entries(values)) app.runUsers.setItem(id, key, value);
  });
}
