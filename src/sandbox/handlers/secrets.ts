import { secretRoutes } from "../../lib/resources/secrets.ts";
import { secretCreate, secretEdit } from "../../schema/secret.ts";
import type { FullApp } from "../app.ts";
import { crud } from "../crud.ts";
import { type EntityDocument, PlatformError } from "../types.ts";

/** A secret as it is shown: its value never is. */
function present(secret: EntityDocument): EntityDocument {
  const { value: _, ...shown } = secret;
  return shown;
}

/** Secrets. The services read `value` from the collection; no answer holds it. */
export function registerSecretRoutes(app: FullApp): void {
  const secrets = app.collection("secret");
  const lengthOf = ({ value }: { readonly value?: string }) =>
    value === undefined ? {} : { value_length: Array.from(value).length };

  crud(app, secretRoutes, "secret", {
    create: secretCreate,
    edit: secretEdit,
    createdStatus: 200,
    present,
    prepare: (body, { profile, document }) => {
      if (document === undefined && secrets.all(profile).some(({ key }) => "key" in body && key === body.key)) {
        throw new PlatformError(400, "Error on Body parameters", { key: ["Already in use"] });
      }
      return { ...body, ...lengthOf(body) };
    },
  });
}
