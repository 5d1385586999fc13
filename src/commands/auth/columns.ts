import type { Column } from "../kit/command/columns.ts";
import { maskToken } from "../kit/say/redact.ts";
import { type Credential, sourceOf, tokenIfThere } from "../kit/settings/credentials.ts";

/** A credential as people and programs may see it: never the token itself. */
export interface CredentialRow {
  readonly environment: string;
  readonly origin: string;
  readonly profile: string;
  readonly profile_id: string;
  readonly token: string;
  readonly source: string;
  readonly expires: string;
  readonly state?: string;
  readonly permission?: string;
}

export const columns: readonly Column<CredentialRow>[] = [
  { key: "environment", kind: "id" },
  { key: "profile" },
  { key: "token", kind: "id", rank: 3 },
  { key: "state" },
  { key: "permission" },
  { key: "expires", kind: "time" },
  { key: "source" },
  { key: "origin", header: "api", hidden: true },
  { key: "profile_id", kind: "id", hidden: true },
];

export function environmentRow(credential: Credential): CredentialRow {
  const token = tokenIfThere(credential);
  return {
    environment: credential.env,
    origin: credential.origin,
    profile: credential.profile?.name ?? "",
    profile_id: credential.profile?.id ?? "",
    token: token === undefined ? "" : maskToken(token),
    source: sourceOf(credential),
    expires: credential.expires ?? "",
  };
}
