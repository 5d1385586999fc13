import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import * as library from "../../src/index.ts";
import * as drawing from "../../src/lib/widgets/draw/index.ts";
import { root } from "./imports.ts";

const page = readFileSync(join(root, "api-surface.md"), "utf8");

/** The names of an entry on the page, each with the lines below it. */
function namesOf(entry: string): ReadonlyMap<string, string> {
  const section = page.split(/^## /m).find((text) => text.startsWith(`${entry}\n`)) ?? "";
  const blocks = section.split(/^- `/m).slice(1);
  return new Map(blocks.map((block) => [/\w+/.exec(block)?.[0] ?? "", block]));
}

const methodsIn = (block: string): string[] => [
  ...new Set([...block.matchAll(/^ {2}- `(\w+)[(<]/gm)].map(([, name = ""]) => name)),
];

/** Names that a source file exports, without those marked as internal. */
function exportsIn(path: string): string[] {
  const text = readFileSync(join(root, path), "utf8").replaceAll(
    /\/\*\*(?:(?!\*\/)[\s\S])*@internal[\s\S]*?\*\/\nexport .*/g,
    "",
  );
  const own = text.matchAll(/^export (?:async |abstract )*(?:function\*?|const|class|interface|type|enum) (\w+)/gm);
  const spaces = text.matchAll(/^export (?:type )?\* as (\w+)/gm);
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = ""]) => [
    ...list.matchAll(/(\w+)\s*(?:,|$)/g),
  ]);
  const files = [...text.matchAll(/^export (?:type )?\* from "(.*)"/gm)].flatMap(([, file = ""]) =>
    exportsIn(join(dirname(path), file)),
  );
  return [...[...own, ...spaces, ...lists].map(([, name = ""]) => name), ...files];
}

/** Classes by name: those the library exports, and those of the members of `Resources` that the page names. */
function classesOf(known: ReadonlyMap<string, string>): ReadonlyMap<string, object> {
  const found = new Map<string, object>();
  const visit = (holder: object): void => {
    const prototype: object = Object.getPrototypeOf(holder);
    const { name } = prototype.constructor;
    if (!known.has(name) || found.has(name)) return;
    found.set(name, prototype);
    const inherited = Object.getOwnPropertyNames(prototype).map((key): unknown => Reflect.get(holder, key));
    for (const member of [...Object.values(holder), ...inherited])
      if (typeof member === "object" && member !== null) visit(member);
  };
  visit(new library.Resources({ token: "t" }));
  for (const [name, value] of Object.entries(library)) {
    if (typeof value === "function" && "prototype" in value) found.set(name, value.prototype);
  }
  return found;
}

describe("the public surface", () => {
  it.each([
    ["iotdeck", "src/index.ts"],
    ["iotdeck/draw", "src/lib/widgets/draw/index.ts"],
    ["iotdeck/sandbox", "src/sandbox/index.ts"],
    ["iotdeck/tip", "src/lib/tip/index.ts"],
  ])("has the names of %s that are in api-surface.md; `node scripts/api-surface.js` writes it", (entry, path) => {
    expect([...namesOf(entry).keys()].sort()).toEqual([...new Set(exportsIn(path))].sort());
  });

  it("has the methods of classes that are in api-surface.md", () => {
    const known = namesOf("iotdeck");
    const classes = classesOf(known);
    expect(classes.size).toBeGreaterThan(50);
    for (const [name, prototype] of classes) {
      const own = Object.entries(Object.getOwnPropertyDescriptors(prototype)).filter(
        ([key, { value }]) => key !== "constructor" && typeof value === "function",
      );
      expect(methodsIn(known.get(name) ?? "").sort(), name).toEqual(own.map(([key]) => key).sort());
    }
  });

  it("has a type on every property, parameter and result in api-surface.md", () => {
    const lines = page.split("\n").filter((line) => line.startsWith("  - ") && !line.startsWith("  - `new "));
    expect(lines.length).toBeGreaterThan(1500);
    expect(lines.filter((line) => !/: .+`$/.test(line))).toEqual([]);
    const devices = namesOf("iotdeck").get("Devices");
    expect(devices).toContain("- `amount(deviceID: GenericID, options?: CallOptions): Promise<number>`");
  });

  it("marks every second name of a type as deprecated and says which to use", () => {
    const text = readFileSync(join(root, "src", "lib", "official-types.ts"), "utf8");
    const names = [
      ...text.matchAll(/^(.*)\nexport type (\w+)(?:<[^=]*= [^=]*>)? = (?:Own\.)?([A-Z]\w*)(?:<\w+>)?;$/gm),
    ];
    expect(names.length).toBeGreaterThan(60);
    const wrong = names.filter(([, comment, , first]) => comment !== `/** @deprecated Use \`${first}\`. */`);
    expect(wrong.map(([, , name]) => name)).toEqual([]);
    expect(text).not.toMatch(/ as \w+,/);
  });

  it("gives these values and no others: no route tables, no classes of members", () => {
    const values = `Account Analysis ApiError Authorization Cache CancelledError Device Dictionary DownlinkError InputError
      Migration Network PdfError RequestError Resources RunUser SSE SdkError Services TransportError UploadError Utils
      VERSION convertWithReport createLimiter inspectWidget openEventStream planDashboard planWidget
      rawRequest regionsDefinition`;
    expect(Object.keys(library).sort()).toEqual(words(values).sort());
    expect(Object.keys(drawing).sort()).toEqual(["drawWidget", "readWidget", "sampleData", "widgetStyles"]);
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

  it("has a comment on every property of an interface", () => {
    const files = readdirSync(join(root, "src", "lib"), { recursive: true, encoding: "utf8" });
    const known = namesOf("iotdeck");
    const bare: string[] = [];
    let count = 0;
    for (const name of files.filter((file) => file.endsWith(".ts"))) {
      const text = readFileSync(join(root, "src", "lib", name), "utf8");
      // One that extends another may take comments over.
      for (const [, owner = "", body = ""] of text.matchAll(/^export interface (\w+)(?:<.*>)? \{\n([\s\S]*?)^\}/gm)) {
        if (!known.has(owner)) continue;
        const lines = body.split("\n");
        const starts = [...lines.entries()].filter(([, line]) => /^ {2}(readonly )?["\w]+\??:/.test(line));
        count += starts.length;
        for (const [at, line] of starts)
          if (!lines[at - 1]?.endsWith("*/")) bare.push(`${name} ${owner}: ${line.trim()}`);
      }
    }
    expect(bare).toEqual([]);
    expect(count).toBeGreaterThan(1000);
  });
});

describe("the public surface as the compiler reads it", { tags: ["slow"] }, () => {
  interface Read {
    readonly text: string;
    readonly undocumented: readonly string[];
    readonly examples: { readonly examples: number; readonly methods: number; readonly faults: readonly string[] };
  }
  let read: Read;

  beforeAll(() => {
    const script = join(root, "scripts", "check-surface.js");
    const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: "utf8", maxBuffer: 16 * 1024 ** 2 });
    expect(stderr).toBe("");
    read = JSON.parse(stdout) as Read;
  });

  it("is the one in api-surface.md; `node scripts/api-surface.js` writes it", () => {
    expect(page).toContain("### Classes");
    expect(page).toBe(read.text);
  });

  it("has an example on every method, and every example compiles, those of README.md and docs as well", () => {
    const { examples, methods, faults } = read.examples;
    expect(faults).toEqual([]);
    expect(examples).toBeGreaterThan(300);
    expect(methods).toBeGreaterThan(300);
  });

  it("has a comment on every property, and exports every type that a public signature uses", () => {
    expect(read.undocumented).toEqual([]);
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
