import { secretRoutes } from "../../lib/resources/secrets.ts";
import { secretCreate, secretEdit } from "../../schema/secret.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { EntityDocument } from "../store/document.ts";
import { crud } from "./crud.ts";

const KEY = /^\w{1,100}$/;
const MIN_VALUE_CHARS = 6;
const MAX_VALUE_CHARS = 2_048;

/** A secret as it is shown: its value never is. */
function present(secret: EntityDocument): EntityDocument {
  const { value: _, ...shown } = secret;
  return shown;
}

/** Secrets. The services read `value` from the collection; no answer holds it. */
export function registerSecretRoutes(app: App): void {
  const secrets = app.collection("secret");

  crud(app, secretRoutes, "secret", {
    create: secretCreate,
    edit: secretEdit,
    createdStatus: 200,
    present,
    prepare: (body, { profile }) => {
      const key = "key" in body ? body.key.toUpperCase() : undefined;
      const isKeyBad =
        key !== undefined && (!KEY.test(key) || secrets.all(profile).some((known) => known["key"] === key));
      const length = body.value === undefined ? undefined : Array.from(body.value).length;
      const isValueBad = length !== undefined && (length < MIN_VALUE_CHARS || length > MAX_VALUE_CHARS);
      // The platform names no cause.
      if (isKeyBad || isValueBad) throw new PlatformError(400, "Sorry, Internal Error");
      return {
        ...body,
        ...(key !== undefined && { key }),
        ...(length !== undefined && { value_length: length }),
      };
    },
  });
}
