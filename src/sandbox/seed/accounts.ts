import type { AccountStore } from "../accounts/types.ts";
import type { App } from "../app.ts";
import type { TokenStore } from "../store/tokens.ts";
import { SEED_ANALYSIS, SEED_CATALOGUE, SEED_CREATED_AT } from "./names.ts";

/**
 * What the seed gives a fixed name, so that documents, tests and examples can refer to it. These are demo values for
 * a server on loopback; they open nothing else.
 */

export const SEED_ACCOUNTS = {
  demo: { id: "65a100000000000000acc001", email: "demo@example.test", password: "demo-password" },
  shared: { id: "65a100000000000000acc002", email: "shared@example.test", password: "shared-password" },
  otp: {
    id: "65a100000000000000acc003",
    email: "otp@example.test",
    password: "otp-password",
    /** Authenticator secret, base32. */
    authenticator: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
  },
} as const;

export const SEED_PROFILES = {
  demoPlant: "65a1000000000000000f0001",
  empty: "65a1000000000000000f0002",
  otp: "65a1000000000000000f0003",
} as const;

/** Tokens of the profile Demo Plant, and one of the profile Empty. */
export const SEED_TOKENS = {
  full: "p-5eed0000-0000-4000-8000-0000000001",
  read: "p-5eed0000-0000-4000-8000-0000000002",
  write: "p-5eed0000-0000-4000-8000-0000000003",
  expired: "p-5eed0000-0000-4000-8000-0000000004",
  /** One hour left from the moment of seeding. */
  oneHour: "p-5eed0000-0000-4000-8000-0000000005",
  empty: "p-5eed0000-0000-4000-8000-0000000006",
  analysis: "a-5eed0000-0000-4000-8000-0000000007",
  network: "n-5eed0000-0000-4000-8000-0000000008",
  /** Of the network of the soil probe. */
  loraNetwork: "n-5eed0000-0000-4000-8000-0000000009",
} as const;

const HOUR_MS = 3_600_000;

/** Makes the three accounts and their profiles; the demo profile is shared with the second account. */
export function seedAccounts(accounts: AccountStore): void {
  const createdAt = SEED_CREATED_AT;
  const { demo, shared, otp } = SEED_ACCOUNTS;
  accounts.create({ ...demo, name: "Dana Demo", company: "Demo Plant Ltd", plan: "scale", createdAt });
  accounts.create({ ...shared, name: "Sam Shared", plan: "free", createdAt });
  accounts.create({
    id: otp.id,
    name: "Olga Otp",
    email: otp.email,
    password: otp.password,
    otp: { authenticator: otp.authenticator },
    createdAt,
  });
  const { demoPlant, empty, otp: otpProfile } = SEED_PROFILES;
  accounts.createProfile({ id: demoPlant, account: demo.id, name: "Demo Plant", createdAt });
  accounts.createProfile({ id: empty, account: demo.id, name: "Empty", createdAt });
  accounts.createProfile({ id: otpProfile, account: otp.id, name: "Second Factor", createdAt });
  accounts.share(demoPlant, shared.id);
}

/** Makes the tokens of `SEED_TOKENS`. */
export function seedTokens({ tokens, clock }: Pick<App, "tokens" | "clock">): void {
  const inHours = (hours: number): string => new Date(clock.now() + hours * HOUR_MS).toISOString();
  const common = { kind: "profile", profile: SEED_PROFILES.demoPlant, createdBy: SEED_ACCOUNTS.demo.id } as const;
  const profileTokens: readonly Omit<Parameters<TokenStore["create"]>[0], "kind" | "profile" | "refId">[] = [
    { name: "Demo full", token: SEED_TOKENS.full, permission: "full" },
    { name: "Demo read", token: SEED_TOKENS.read, permission: "read" },
    { name: "Demo write", token: SEED_TOKENS.write, permission: "write" },
    { name: "Demo expired", token: SEED_TOKENS.expired, expireTime: inHours(-1) },
    { name: "Demo one hour", token: SEED_TOKENS.oneHour, expireTime: inHours(1) },
  ];
  for (const token of profileTokens) tokens.create({ ...common, ...token, refId: SEED_PROFILES.demoPlant });
  const empty = { profile: SEED_PROFILES.empty, refId: SEED_PROFILES.empty, token: SEED_TOKENS.empty };
  tokens.create({ ...common, ...empty, name: "Empty full" });
  tokens.create({
    ...common,
    kind: "analysis",
    refId: SEED_ANALYSIS,
    name: "Default",
    token: SEED_TOKENS.analysis,
  });
  for (const [refId, name, token] of [
    [SEED_CATALOGUE.privateNetwork, "Demo network", SEED_TOKENS.network],
    [SEED_CATALOGUE.loraNetwork, "Demo LoRaWAN", SEED_TOKENS.loraNetwork],
  ] as const) {
    tokens.create({ ...common, kind: "network", refId, name, token });
  }
}
