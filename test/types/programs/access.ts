// Access policies, secrets and service authorizations.
import type { AccessCreateInfo, Permissions, Resources, SecretsCreate, TokenDataList } from "iotdeck";

const permissions: Permissions[] = [{ effect: "allow", action: ["access"], resource: ["device", "id", "d1"] }];
const rule: AccessCreateInfo = { name: "Rule", permissions, targets: [], active: true, profile: "p1" };
const secret: SecretsCreate = { key: "API_KEY", value: "s", tags: [] };

export async function secure(resources: Resources): Promise<Partial<TokenDataList>[]> {
  const { am_id } = await resources.accessManagement.create(rule);
  const info = await resources.accessManagement.info(am_id);
  await resources.accessManagement.edit(am_id, { ...info, name: "Other" });
  const list = await resources.accessManagement.list({ fields: ["id", "name", "permissions", "targets"] });
  console.log(list[0]?.permissions[0]?.effect, list[0]?.targets.length);
  const { id } = await resources.secrets.create(secret);
  await resources.secrets.edit(id, { value: "t" });
  const { token } = await resources.serviceAuthorization.tokenCreate({
    name: "In",
    permission: "full",
    verification_code: "v",
  });
  await resources.serviceAuthorization.tokenEdit(token, "w");
  return resources.serviceAuthorization.tokenList({ fields: ["name", "token"], filter: { name: "In" } });
}
