import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import * as library from "../../src/index.ts";
import * as drawing from "../../src/lib/widgets/draw/index.ts";
import { root } from "./imports.ts";

describe("the public surface", () => {
  it("is the one in api-surface.md; `node scripts/api-surface.js` writes it anew", () => {
    const script = join(root, "scripts", "api-surface.js");
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, "--print"], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout).toContain("### Classes");
    expect(readFileSync(join(root, "api-surface.md"), "utf8")).toBe(stdout);
  });

  it("gives these values and no others: no route tables, no classes of members", () => {
    const values = `Account Analysis ApiError Authorization Cache CancelledError Device Dictionary DownlinkError InputError
      Migration Network PdfError RequestError Resources RunUser SSE SdkError Services TransportError UploadError Utils
      VERSION convertWithReport createLimiter inspectWidget openEventStream planDashboard planWidget
      rawRequest regionsDefinition`;
    expect(Object.keys(library).sort()).toEqual(words(values).sort());
    expect(Object.keys(drawing).sort()).toEqual(["drawWidget", "readWidget", "sampleData", "widgetStyles"]);
  });

  it("has an example on every method, and every example compiles, those of the papers as well", () => {
    const script = join(root, "scripts", "check-examples.js");
    const { stdout, stderr, status } = spawnSync(process.execPath, [script], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^[3-9]\d\d examples, [3-9]\d\d public methods, 0 faults$/m);
    expect(status).toBe(0);
  });

  it("keeps the examples in its declarations", () => {
    const text = readFileSync(join(root, "dist", "types", "lib", "resources", "devices.d.ts"), "utf8");
    expect(text.match(/@example/g)?.length).toBeGreaterThan(20);
    expect(text).toContain("of resources.devices.listStreaming(");
  });

  it("has no `any` in its declarations", () => {
    const folder = join(root, "dist", "types");
    if (!existsSync(folder)) throw new Error("dist/types is missing: run `npm run build` first");
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts"));
    expect(names.length).toBeGreaterThan(20);
    const found: string[] = [];
    for (const name of names) {
      const source = ts.createSourceFile(name, readFileSync(join(folder, name), "utf8"), ts.ScriptTarget.Latest, true);
      const visit = (node: ts.Node): void => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) {
          const { line } = source.getLineAndCharacterOfPosition(node.getStart());
          found.push(`${name}:${line + 1} ${node.parent.getText()}`);
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
    }
    expect(found).toEqual([]);
  });
});

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Names of the official SDK that a program may use after changing its import: the methods of each class. */
const classes: Readonly<Record<string, string>> = {
  Device: `info sendData getData editData deleteData getParameters setParameterAsRead getDataStreaming
    sendDataStreaming`,
  Dictionary: `getLanguagesData getValueFromKey parseExpression resolveExpression getExpressionsFromString
    applyToString`,
};

/** Members of `Resources`, by dotted path. */
const members: Readonly<Record<string, string>> = {
  devices: `list listStreaming create edit delete info paramSet paramList paramRemove tokenList tokenCreate tokenDelete
    amount getDeviceData getDeviceDataStreaming emptyDeviceData sendDeviceData sendDeviceDataStreaming editDeviceData
    deleteDeviceData getChunk deleteChunk copyChunk dataBackup dataRestore`,
  dashboards: `list create edit delete info duplicate getPublicKey listDevicesRelated listAnalysisRelated
    runWidgetHeaderButtonAnalysis`,
  "dashboards.widgets": `create edit delete info getData sendData editData deleteData editResource tokenGenerate`,
  profiles: `list info summary create edit delete usageStatisticList auditLog auditLogQuery addonList addonEdit
    serviceEdit transferTokenToAnotherProfile tokenList tokenCreate tokenDelete removeAddOn addTeamMember teamList
    deleteTeamMember`,
  analysis: "list create edit delete info run tokenGenerate uploadScript downloadScript",
  actions: "list create edit delete info",
  accessManagement: "list create edit delete info",
  secrets: "list create edit delete info",
  dictionaries: "list create edit delete info languageEdit languageDelete languageInfo languageInfoBySlug",
  entities: `list create edit delete info amount getEntityData editEntityData sendEntityData deleteEntityData
    editSchemaIndex renameField updateField deleteField deleteIndex emptyEntityData`,
  "integration.connectors": "list info create edit delete",
  "integration.networks": "list info create edit delete tokenList tokenCreate tokenDelete",
  notifications: `list markAsRead markAsUnread markAllAsRead notificationButton create remove registerDevice
    unRegisterDevice`,
  account: "info edit delete passwordChange enableOTP disableOTP confirmOTP",
  billing: `getSubscription editSubscription getSubscriptionSchedule getPrices getProratedPrices getPaymentMethod
    editPaymentMethod removePaymentMethod getBillingInformation editBillingInformation getAllocation editAllocation
    getPaymentHistory getSubscriptionSummary checkDiscountCoupon cancelDowngrade retryLastPayment cancelLastOperation`,
  paymentHistory: "getHistory",
  paymentMethods: "create list delete",
  plan: "setPlanParameters getActivePlan getCurrentPrices",
  run: `info edit listUsers userInfo userCreate userEdit userDelete loginAsUser emailTest notificationList
    notificationCreate notificationEdit notificationDelete ssoSAMLInfo ssoSAMLEdit createCustomDomain getCustomDomain
    deleteCustomDomain regenerateCustomDomain`,
  serviceAuthorization: "tokenList tokenCreate tokenDelete tokenEdit",
  tagocores: "list info edit delete tokenGenerate standaloneDeviceInfo standaloneDeviceList",
  tags: "getTagKeys",
  template: "generateTemplate installTemplate getTemplate",
  buckets: "list info amount",
};

const statics: Readonly<Record<string, string>> = {
  Account: `tokenCreate login passwordRecover create resendConfirmation confirmAccount requestLoginPINCode
    acceptTeamInvitation declineTeamInvitation`,
  Migration: "hasMigrate isOldStructure convertWidget convertImagerMarkerData",
  SSE: "openSSEListening channels",
  Cache: "addCache getCache clearCache",
  Utils: "getAPIVersion",
  regionsDefinition: "us-e1 usa-1 eu-w1 env",
};

describe("the names of the official SDK", () => {
  const exported = library as unknown as Readonly<Record<string, { readonly prototype?: object } & object>>;
  const member = (holder: unknown, name: string) => (holder as Readonly<Record<string, unknown>> | undefined)?.[name];
  const missing = (holder: unknown, names: string) => words(names).filter((name) => member(holder, name) === undefined);

  it.each(["ApiError", "CancelledError", "InputError", "RequestError", "SdkError"])(
    "with errors of class %s",
    (name) => {
      expect(exported[name]?.prototype).toBeInstanceOf(Error);
    },
  );

  it.each(Object.entries(classes))("in class %s", (name, names) => {
    expect(missing(exported[name]?.prototype, names)).toEqual([]);
  });

  it.each(Object.entries(members))("in Resources, member %s", (path, names) => {
    const [first = ""] = path.split(".");
    expect(missing(path.split(".").reduce<unknown>(member, new library.Resources({ token: "t" })), names)).toEqual([]);
    expect(Object.getOwnPropertyDescriptor(library.Resources, first)?.get, `static ${first}`).toBeTypeOf("function");
  });

  it.each(Object.entries(members).filter(([path]) => !/^(secrets|entities|account)$/.test(path)))(
    "in Account, member %s",
    (path, names) => {
      expect(missing(path.split(".").reduce<unknown>(member, new library.Account({ token: "t" })), names)).toEqual([]);
    },
  );

  it.each(Object.entries(statics))("of %s itself", (name, names) => {
    expect(missing(exported[name], names)).toEqual([]);
  });
});
