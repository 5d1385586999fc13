import { defined } from "../../lib/core/defined.ts";
import { PUBLIC_PROFILE } from "../store/collection.ts";
import { type Filling, fillEach, momentAt, ownerOf, timesOf } from "./filling.ts";

/** Accounts, profiles, networks and connectors, with their tokens. */
export function fillAccounts(filling: Filling): void {
  const { app, layer, profile } = filling;
  const createdAt = layer.created;
  const { accounts, tokens } = app;
  fillEach(filling, "accounts", (record) => {
    const { id, name, email, password, company, phone, plan, otp } = record;
    accounts.create({
      ...defined({ id, name, email, password, company, phone, plan, createdAt }),
      ...(otp === undefined ? {} : { otp: defined(otp) }),
    });
  });
  fillEach(filling, "profiles", ({ id, account, name, shared_with }) => {
    const missing = [account, ...shared_with].find((each) => accounts.get(each) === undefined);
    if (missing !== undefined) throw new Error(`there is no account ${missing}`);
    accounts.createProfile({ id, account, name, createdAt });
    for (const other of shared_with) accounts.share(id, other);
  });
  fillCatalogue(filling);
  fillEach(filling, "profiles", ({ id, account, tokens: own }) => {
    for (const { name, token, permission, expires } of own) {
      const expireTime = expires === undefined ? undefined : momentAt(filling, expires);
      const common = { kind: "profile", profile: id, refId: id, createdBy: account } as const;
      tokens.create({ ...common, ...defined({ name, token, permission, expireTime }) });
    }
  });
  fillEach(filling, "networks", ({ id, token }) => {
    if (token !== undefined)
      tokens.create({ ...defined(token), kind: "network", profile, refId: id, createdBy: ownerOf(filling) });
  });
}

function fillCatalogue(filling: Filling): void {
  const { app, profile } = filling;
  const times = timesOf(filling);
  const ownerFor = (record: Readonly<Record<string, unknown>>): string =>
    record["public"] === true ? PUBLIC_PROFILE : profile;
  fillEach(filling, "networks", ({ token: _, ...network }) => {
    app.collection("network").insert(ownerFor(network), { ...network, ...times });
  });
  fillEach(filling, "connectors", (connector) => {
    app.collection("connector").insert(ownerFor(connector), { ...connector, ...times });
  });
}

/** Service authorizations of the profile. */
export function fillAuthorizations(filling: Filling): void {
  const { app, profile } = filling;
  fillEach(filling, "service-authorizations", ({ name, token, verification_code }) => {
    const code = defined({ verificationCode: verification_code });
    app.tokens.create({ kind: "service", profile, refId: profile, name, token, createdBy: ownerOf(filling), ...code });
  });
}
