// An analysis router whose services name their parameters and scopes.
import {
  Analysis,
  type CustomBtnScope,
  type Data,
  type DeviceListScope,
  Resources,
  type RouterConstructor,
  type TagoContext,
  type UserListScope,
  Utils,
} from "iotdeck";

async function createTank({ context, environment }: RouterConstructor): Promise<string> {
  context?.log("Connector", environment["connector"]);
  return "done";
}
async function editDevice({ scope }: RouterConstructor & { scope: DeviceListScope[] }): Promise<void> {
  const id: string | undefined = scope[0]?.device;
  if (id) await Resources.devices.edit(id, { name: scope[0]?.name ?? "Tank" });
}
async function editUser({ scope }: RouterConstructor & { scope: UserListScope[] }): Promise<void> {
  const id: string | undefined = scope[0]?.user;
  if (id) await Resources.run.userEdit(id, { active: true });
}
async function press({ scope }: RouterConstructor & { scope: CustomBtnScope[] }): Promise<string | undefined> {
  return scope[0]?.displayValue;
}

async function start(context: TagoContext, scope: Data[]): Promise<void> {
  const environment = Utils.envToJson(context.environment);
  const router = new Utils.AnalysisRouter({ scope, environment, context });
  router.register(createTank).whenInputFormID("create-tank");
  router.register(editDevice).whenDeviceListIdentifier("edit-tank").whenEnv("stage", "production");
  router.register(editUser).whenUserListIdentifier("edit-user");
  router.register(press).whenCustomBtnID("press").whenWidgetExec("edit");
  const { status, services } = await router.exec();
  context.log(status, services.join(", "));
}
Analysis.use(start);
