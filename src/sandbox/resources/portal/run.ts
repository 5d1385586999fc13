import { isRecord } from "../../../lib/core/json.ts";
import { runRoutes } from "../../../lib/resources/run.ts";
import { customDomainCreate, runEdit, runEmailTest, samlEdit } from "../../../schema/run.ts";
import { accountOf } from "../../accounts/owner.ts";
import type { App } from "../../app.ts";
import { PlatformError } from "../../core/platform-error.ts";
import { editPortal, portalOf, profileAt, runHost } from "../../portal/settings.ts";
import { readSetting, removeSetting, writeSetting } from "../../store/settings.ts";
import { expiryOf } from "../../store/tokens.ts";
import { reachProfile } from "../profiles/reach.ts";

/** The portal itself. */
function registerPortal(app: App): void {
  const { db } = app;

  app.handle(runRoutes.info, ({ profile }) => portalOf(db, profile));

  app.handle(runRoutes.edit, { body: runEdit }, ({ body, now, principal, profile }) => {
    if (body.url !== undefined) {
      const owner = profileAt(db, body.url);
      if (owner !== undefined && owner !== profile) {
        throw new PlatformError(400, "Error on Body parameters", { url: ["This host is in use by another portal"] });
      }
    }
    if (body.auth_token_ttl !== undefined) expiryOf(body.auth_token_ttl, now);
    const portal = editPortal(db, profile, { ...body, updated_at: new Date(now).toISOString() });
    const document = { id: profile, name: portal["name"] };
    app.signals.emit("resourceChanged", { profile, kind: "run", event: "edit", document, principal });
    return "TagoIO Run Successfully Updated";
  });

  app.handle(runRoutes.emailTest, { body: runEmailTest }, ({ body, principal, profile }) => {
    const to = app.accounts.get(accountOf(app, principal))?.email ?? "";
    app.outbox.add("email", { profile, to, subject: body.subject, message: body.body });
    return `E-mail sent to ${to}`;
  });
}

const SAML = "saml";
const DEFAULT_MAPPING = { email: "email", firstName: "firstName" } as const;

/** Name of the identity provider in its metadata. */
function issuerOf(metadata: string): string {
  const xml = Buffer.from(metadata, "base64").toString("utf8");
  const issuer = /\bentityID\s*=\s*["']([^"']{1,1000})["']/.exec(xml)?.[1];
  if (issuer !== undefined) return issuer;
  throw new PlatformError(400, "Error on Body parameters", {
    idp_metadata: ["Must be the XML of the identity provider, with its entityID, as base64"],
  });
}

function registerSaml(app: App): void {
  const { db } = app;

  app.handle(runRoutes.ssoSAMLInfo, ({ profile }) => {
    const saved = readSetting(db, "profile", profile, SAML) ?? {};
    const entityId = `https://${runHost(db, profile)}/sso/saml`;
    const acsUrl = `${entityId}/acs`;
    const metadata = `<EntityDescriptor entityID="${entityId}"><SPSSODescriptor><AssertionConsumerService Location="${acsUrl}"/></SPSSODescriptor></EntityDescriptor>`;
    return {
      sp: { entity_id: entityId, acs_url: acsUrl, metadata: Buffer.from(metadata).toString("base64") },
      idp: { issuer: saved["issuer"] ?? "" },
      mapping: saved["mapping"] ?? DEFAULT_MAPPING,
    };
  });

  app.handle(runRoutes.ssoSAMLEdit, { body: samlEdit }, ({ body, profile }) => {
    const saved = readSetting(db, "profile", profile, SAML) ?? {};
    const mapping = { ...DEFAULT_MAPPING, ...(isRecord(saved["mapping"]) ? saved["mapping"] : {}), ...body.mapping };
    const issuer = body.idp_metadata === undefined ? saved["issuer"] : issuerOf(body.idp_metadata);
    writeSetting(db, "profile", profile, SAML, { issuer, mapping });
    if (body.idp_metadata !== undefined) editPortal(db, profile, { sso_saml_active: true });
    return "TagoIO Run SAML SSO Successfully Updated";
  });
}

const DOMAIN = "custom_domain";

/** Records a domain must have. Nobody looks at a real domain, so none is found to have them. */
export function recordsOf(host: string, mark: string): Record<string, unknown> {
  const record = (key: string, value: string) => ({ status: false, type: "CNAME", key, value, current_value: "" });
  return {
    dns_ssl: record(`_acme-challenge.${host}`, `${mark}.ssl.example.test`),
    dns_page: record(host, "portal.example.test"),
    dns_email_1: record(`em.${host}`, `${mark}.mail.example.test`),
    dns_email_2: record(`s1._domainkey.${host}`, `${mark}.key1.example.test`),
    dns_email_3: record(`s2._domainkey.${host}`, `${mark}.key2.example.test`),
  };
}

function registerCustomDomain(app: App): void {
  const { db, ids } = app;

  const need = (profile: string): Readonly<Record<string, unknown>> => {
    const domain = readSetting(db, "profile", profile, DOMAIN);
    if (domain === undefined) throw new PlatformError(404, "Custom Domain Not Found");
    return domain;
  };

  app.handle(runRoutes.getCustomDomain, ({ params, principal }) =>
    need(reachProfile(app, params.profile_id, principal).id),
  );

  app.handle(runRoutes.createCustomDomain, { body: customDomainCreate }, ({ body, now, params, principal }) => {
    const { id } = reachProfile(app, params.profile_id, principal);
    const host = `${body.subdomain}.${body.domain}`;
    const owner = profileAt(db, host);
    if (owner !== undefined && owner !== id) {
      throw new PlatformError(400, "Error on Body parameters", { domain: ["This domain is in use by another portal"] });
    }
    const created_at = new Date(now).toISOString();
    writeSetting(db, "profile", id, DOMAIN, { ...body, active: false, ...recordsOf(host, ids.id()), created_at });
    return "Custom domain created successfully";
  });

  app.handle(runRoutes.regenerateCustomDomain, ({ params, principal }) => {
    const { id } = reachProfile(app, params.profile_id, principal);
    const domain = need(id);
    const host = `${String(domain["subdomain"])}.${String(domain["domain"])}`;
    writeSetting(db, "profile", id, DOMAIN, { ...domain, ...recordsOf(host, ids.id()) });
    return "Custom domain regenerated successfully";
  });

  app.handle(runRoutes.deleteCustomDomain, ({ params, principal }) => {
    const { id } = reachProfile(app, params.profile_id, principal);
    need(id);
    removeSetting(db, "profile", id, DOMAIN);
    return "Custom domain deleted successfully";
  });
}

/** The portal of a profile, for its administrators. */
export function registerRunRoutes(app: App): void {
  registerPortal(app);
  registerSaml(app);
  registerCustomDomain(app);
}
