import { get } from "../../lib/api/route.ts";
import { currentDeviceRoutes } from "../../lib/clients/device.ts";
import type { App } from "../app.ts";
import { denied } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import { booleanOf } from "../core/query.ts";
import { SANDBOX_VERSION } from "../core/version.ts";
import { presentDevice } from "../devices/routes.ts";
import { shownToken } from "../http/auth.ts";
import type { HandlerContext, RouteOptions } from "../http/handler.ts";
import { presentNetwork } from "../networks/routes.ts";
import type { Resource } from "../resource.ts";
import type { EntityDocument } from "../store/document.ts";
import type { StoredToken } from "../store/tokens.ts";

const gaps = {
  details: { subject: "GET /info?details=true", choice: "profile becomes {id, name}" },
} as const;

const statusRoutes = { status: get("/status", { anonymous: true }) };

/** Fields of an analysis that its own token cannot read. */
const HIDDEN_OF_ANALYSIS = ["token", "console", "variables"] as const;

/** A token in the format of lists and `/info` (docs/internals/platform/model.md, Tokens as records). */
export function presentToken(token: StoredToken, principal: Principal): Record<string, unknown> {
  return {
    token: shownToken(principal, token),
    name: token.name,
    type: token.kind === "service" ? "serviceauth" : token.kind,
    permission: token.permission,
    serie_number: token.serieNumber,
    last_authorization: token.lastAuthorization,
    verification_code: token.verificationCode,
    expire_time: token.expireTime,
    ref_id: token.refId,
    created_at: token.createdAt,
    created_by: token.createdBy,
  };
}

function about(app: App, { principal, request }: HandlerContext): Record<string, unknown> {
  const { kind, refId, profile } = principal;
  if (kind === "device") return presentDevice(app.collection("device").need(refId, profile));
  const analysis = kind === "analysis" ? app.collection("analysis").get(refId) : undefined;
  if (analysis !== undefined) return aboutAnalysis(analysis);
  const network = kind === "network" ? app.collection("network").get(refId) : undefined;
  return network === undefined ? aboutToken(app, principal) : presentNetwork(network, request.origin);
}

function aboutAnalysis(analysis: EntityDocument): Record<string, unknown> {
  if (analysis["active"] === false) throw denied();
  const shown = Object.entries(analysis).filter(([name]) => !HIDDEN_OF_ANALYSIS.some((hidden) => hidden === name));
  return Object.fromEntries(shown);
}

function aboutToken(app: App, principal: Principal): Record<string, unknown> {
  const token = app.tokens.find(principal.key);
  if (token === undefined) throw denied();
  const { token: _, ...shown } = presentToken(token, principal);
  const profile = app.accounts.profile(principal.profile);
  return { id: principal.refId, ...shown, profile: principal.profile, account: profile?.account ?? null };
}

const everyToken: RouteOptions = {
  rule: "own",
  tokens: ["device", "profile", "analysis", "network", "service", "run_user"],
};

/** The anonymous `/status`, and `/info` for every kind of token. */
export const info: Resource = {
  gaps,
  serve: (app) => {
    app.on(statusRoutes.status, { rule: "anyone" }, () => ({ version: SANDBOX_VERSION }));

    app.on(currentDeviceRoutes.info, everyToken, (context) => {
      const shown = about(app, context);
      if (booleanOf(context.query["details"]) !== true) return shown;
      context.assume(gaps.details);
      const profile = app.accounts.profile(context.profile);
      return { ...shown, profile: { id: context.profile, name: profile?.name ?? "" } };
    });
  },
};
