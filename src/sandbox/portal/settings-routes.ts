import { isRecord } from "../../lib/core/json.ts";
import { runRoutes } from "../../lib/resources/run.ts";
import { customDomainCreate, runEdit, runEmailTest, samlEdit } from "../../schema/run.ts";
import { onAll } from "../access/catalogue.ts";
import { whole } from "../access/demands.ts";
import { accountOf } from "../accounts/owner.ts";
import type { App } from "../app.ts";
import { invalidBody, PlatformError } from "../core/platform-error.ts";
import { reachProfile } from "../profiles/accessible-profiles.ts";
import type { Resource } from "../resource.ts";
import { readSetting, removeSetting, writeSetting } from "../store/settings.ts";
import { expiryOf } from "../store/tokens.ts";
import { domainRecords } from "./custom-domain.ts";
import { editPortal, portalOf, profileAt, runHost } from "./settings.ts";

const gaps = {
  customDomains: {
    subject: "Custom domains",
    choice: "stored; their DNS records are never found, so they stay inactive",
  },
  saml: {
    subject: "SAML sign-on of portals",
    choice: "settings are stored and shown, nobody can log in with it; metadata without an entityID: 400",
  },
} as const;

const reads = { rule: whole("run", "access") } as const;
const writes = { rule: whole("run", "edit") } as const;

/** Rejects the host of another portal, or of another's custom domain. */
function checkHost(app: App, member: string, host: string, profile: string, message: string): void {
  const owner = profileAt(app.db, host);
  if (owner === undefined || owner === profile) return;
  throw invalidBody({ [member]: [message] });
}

/** The portal itself. */
function servePortal(app: App): void {
  const { db } = app;

  app.on(runRoutes.info, reads, ({ profile }) => portalOf(db, profile));

  app.on(runRoutes.edit, { ...writes, body: runEdit }, ({ body, now, principal, profile }) => {
    if (body.url !== undefined) checkHost(app, "url", body.url, profile, "This host is in use by another portal");
    if (body.auth_token_ttl !== undefined) expiryOf(body.auth_token_ttl, now);
    const portal = editPortal(db, profile, { ...body, updated_at: new Date(now).toISOString() });
    const document = { id: profile, name: portal["name"] };
    app.signals.emit("resourceChanged", { profile, kind: "run", event: "edit", document, principal });
    return "TagoIO Run Successfully Updated";
  });

  app.on(runRoutes.emailTest, { ...writes, body: runEmailTest }, ({ body, principal, profile }) => {
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
  throw invalidBody({
    idp_metadata: ["Must be the XML of the identity provider, with its entityID, as base64"],
  });
}

/** Single sign-on: only stored and returned. */
function serveSaml(app: App): void {
  const { db } = app;
  const assumed = [gaps.saml] as const;

  app.on(runRoutes.ssoSAMLInfo, { ...reads, gaps: assumed }, ({ profile }) => {
    const { issuer = "", mapping = DEFAULT_MAPPING } = readSetting(db, "profile", profile, SAML) ?? {};
    const entityId = `https://${runHost(db, profile)}/sso/saml`;
    const metadata = Buffer.from(`<EntityDescriptor entityID="${entityId}"/>`).toString("base64");
    return { sp: { entity_id: entityId, acs_url: `${entityId}/acs`, metadata }, idp: { issuer }, mapping };
  });

  app.on(runRoutes.ssoSAMLEdit, { ...writes, body: samlEdit, gaps: assumed }, ({ body, profile }) => {
    const saved = readSetting(db, "profile", profile, SAML) ?? {};
    const mapping = { ...DEFAULT_MAPPING, ...(isRecord(saved["mapping"]) ? saved["mapping"] : {}), ...body.mapping };
    const issuer = body.idp_metadata === undefined ? saved["issuer"] : issuerOf(body.idp_metadata);
    writeSetting(db, "profile", profile, SAML, { issuer, mapping });
    if (body.idp_metadata !== undefined) editPortal(db, profile, { sso_saml_active: true });
    return "TagoIO Run SAML SSO Successfully Updated";
  });
}

const DOMAIN = "custom_domain";

/** The custom domain: only stored and returned. */
function serveCustomDomain(app: App): void {
  const { db, ids } = app;
  const assumed = [gaps.customDomains] as const;

  const need = (profile: string): Readonly<Record<string, unknown>> => {
    const domain = readSetting(db, "profile", profile, DOMAIN);
    if (domain === undefined) throw new PlatformError(404, "Custom Domain Not Found");
    return domain;
  };

  const write = (profile: string, domain: Readonly<Record<string, unknown>>): void => {
    const host = `${String(domain["subdomain"])}.${String(domain["domain"])}`;
    checkHost(app, "domain", host, profile, "This domain is in use by another portal");
    writeSetting(db, "profile", profile, DOMAIN, { ...domain, ...domainRecords(host, ids.id()) });
  };

  app.on(runRoutes.getCustomDomain, { ...reads, gaps: assumed }, ({ params, principal }) =>
    need(reachProfile(app, params.profile_id, principal).id),
  );

  app.on(
    runRoutes.createCustomDomain,
    { ...writes, body: customDomainCreate, gaps: assumed },
    ({ body, now, params, principal }) => {
      const { id } = reachProfile(app, params.profile_id, principal);
      write(id, { ...body, active: false, created_at: new Date(now).toISOString() });
      return "Custom domain created successfully";
    },
  );

  app.on(runRoutes.regenerateCustomDomain, { ...writes, gaps: assumed }, ({ params, principal }) => {
    const { id } = reachProfile(app, params.profile_id, principal);
    write(id, need(id));
    return "Custom domain regenerated successfully";
  });

  app.on(runRoutes.deleteCustomDomain, { ...writes, gaps: assumed }, ({ params, principal }) => {
    const { id } = reachProfile(app, params.profile_id, principal);
    need(id);
    removeSetting(db, "profile", id, DOMAIN);
    return "Custom domain deleted successfully";
  });
}

/** The portal of a profile, for its administrators. */
export const portalSettings: Resource = {
  tables: { runRoutes },
  kinds: [{ kind: "run", audit: ["run", "Portal"] }],
  access: { run: { label: "Run", analysis: onAll("access", "edit") } },
  gaps,
  serve: (app) => {
    servePortal(app);
    serveSaml(app);
    serveCustomDomain(app);
  },
};
