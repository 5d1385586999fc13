import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillPath } from "../../src/lib/api/route.ts";
import { VERSION } from "../../src/lib/core/version.ts";
import { routeKey } from "../../src/sandbox/core/route-key.ts";
import { temporaryFolder } from "../helpers/cli.ts";
import { allRoutes } from "../helpers/routes.ts";
import { call } from "./client.ts";
import { cases, tokenOf } from "./routes/all.ts";
import { createWorld } from "./routes/world.ts";

type Schema = Readonly<Record<string, unknown>>;
type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly parameters: readonly Schema[];
  readonly requestBody?: { readonly content: Content; readonly required?: boolean };
  readonly responses: Readonly<Record<string, { readonly $ref: string }>>;
  readonly "x-token-kinds": readonly string[];
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, { readonly content: Content }>>;
  };
}

let world: Awaited<ReturnType<typeof createWorld>>;
let document: Document;
let operations: ReadonlyMap<string, Operation>;
let ajv: Ajv2020;

const fresh = async () => {
  const { text } = await call(world.sandbox, "GET", "/__sandbox/openapi.json");
  return JSON.parse(text) as Document;
};

beforeAll(async () => {
  world = await createWorld();
  document = await fresh();
  operations = new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, operation]) =>
          [routeKey(method.toUpperCase(), path.replaceAll(/\{(\w+)\}/g, ":$1")), operation] as const,
      ),
    ),
  );
  ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true, validateFormats: false });
  ajv.addSchema(definitions({ $defs: document.components.schemas }), "api");
});
afterAll(() => world.close());

function operationOf(method: string, path: string): Operation {
  const found = operations.get(routeKey(method, path));
  if (found === undefined) throw new Error(`The document has no ${method} ${path}`);
  return found;
}

/** With the schemas of the document where Ajv looks for definitions. */
const definitions = (schema: object): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"api#/$defs/')) as Schema;

/** What is wrong with a value; the schema may refer to the document. */
function problems(schema: Schema, value: unknown): unknown {
  const check = ajv.compile(definitions(schema));
  return check(value) ? [] : check.errors;
}

const validate = (candidate: object) => new Validator().validate(candidate as Record<string, unknown>);

describe("the OpenAPI document", () => {
  it("is for the user who started the sandbox", async () => {
    const { url } = world.sandbox;
    expect((await call({ url }, "GET", "/__sandbox/openapi.json")).status).toBe(401);
    const answer = await call(world.sandbox, "GET", "/__sandbox/openapi.json");
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect([document.openapi, document.info.version, document.servers]).toEqual(["3.1.0", VERSION, [{ url }]]);
  });

  it("is valid OpenAPI 3.1, with schemas that are valid themselves and references that lead somewhere", {
    tags: ["slow"],
  }, async () => {
    expect(await validate(document)).toEqual({ valid: true });
    const names = Object.keys(document.components.schemas);
    expect(names.length).toBeGreaterThan(100);
    for (const name of names) ajv.compile({ $ref: `api#/$defs/${name}` });
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = ""]) =>
      path.split("/"),
    );
    const lost = refs.filter((path) => path.reduce<unknown>(member, document) === undefined);
    expect(lost).toEqual([]);
  });

  async function expectInvalid(_: string, change: (copy: Document) => object): Promise<void> {
    expect((await validate(change(await fresh()))).valid).toBe(false);
  }

  it.each<[string, (copy: Document) => object]>([["without a version", ({ info: _, ...copy }) => copy]])(
    "would not be valid %s",
    expectInvalid,
  );
  it.each<[string, (copy: Document) => object]>([
    ["with a response that is none", (copy) => ({ ...copy, components: { responses: { Refused: { content: 1 } } } })],
    [
      "with a parameter that is nowhere",
      (copy) => ({ ...copy, components: { parameters: { Page: { name: "page" } } } }),
    ],
    ["with a type of schema there is not", (copy) => ({ ...copy, components: { schemas: { Id: { type: "text" } } } })],
  ])("would not be valid %s", { tags: ["slow"] }, expectInvalid);

  it("has every route of the platform's API that is served, and no other", () => {
    const elsewhere = ["GET /events", "GET /file/*", "GET /storage/analysis/:/:", "POST /pdf"];
    const served = world.sandbox.routes
      .map(({ method, path }) => routeKey(method, path))
      .filter((key) => !key.includes(" /__sandbox") && !elsewhere.includes(key));
    expect(served.filter((key) => !operations.has(key))).toEqual([]);
    expect([...operations.keys()].filter((key) => !served.includes(key))).toEqual([]);
  });

  it("names every operation once, after the client's tables", () => {
    const ids = [...operations.values()].map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const named = new Map<string, string[]>();
    for (const { name, route } of allRoutes) {
      const id = name
        .replace(/^runUser\./, "currentRunUser.")
        .replace(/\.(.)/, (_, first: string) => first.toUpperCase());
      const key = routeKey(route.method, route.path);
      named.set(key, [...(named.get(key) ?? []), id]);
    }
    named.delete("GET /status");
    const strange = [...named].filter(([key, own]) => !own.includes(operations.get(key)?.operationId ?? ""));
    expect(strange).toEqual([]);
  });

  it("says which routes need no token, and what a list can be asked", () => {
    expect(operationOf("POST", "/account/login").security).toEqual([]);
    expect(operationOf("GET", "/integration/network").security?.[0]).toEqual({});
    expect(operationOf("GET", "/device").security).toBeUndefined();
    const order = operationOf("GET", "/device").parameters.find(({ name }) => name === "orderBy");
    expect(order?.["schema"]).toMatchObject({ default: "name,asc", enum: expect.arrayContaining(["last_input,desc"]) });
    expect(problems({ $ref: "#/components/schemas/DeviceFilter" }, { active: true, name: "a*" })).toEqual([]);
    expect(problems({ $ref: "#/components/schemas/DeviceFilter" }, { active: "perhaps" })).not.toEqual([]);
  });

  it("says what counts requests, who may send them, and what was assumed", () => {
    expect(operationOf("GET", "/device")).toMatchObject({
      "x-permission": "read",
      "x-rate-limit": [{ name: "device list", perMinute: { free: 50, starter: 100, scale: 500 } }],
    });
    expect(operationOf("GET", "/device")["x-token-kinds"]).toContain("run_user");
    expect(operationOf("GET", "/data")["x-token-kinds"]).toEqual(["device"]);
    expect(operationOf("POST", "/account/login/otp")).toMatchObject({
      "x-assumed": [expect.stringContaining("PIN code sent")],
      responses: { 501: { $ref: "#/components/responses/Assumed" } },
    });
  });

  it("refuses bodies that the sandbox refuses", () => {
    const name = { $ref: "#/components/schemas/DeviceCreateBody" };
    expect(problems(name, {})).not.toEqual([]);
    expect(problems(name, { name: "Device", tags: [{ key: 1 }] })).not.toEqual([]);
    expect(problems({ $ref: "#/components/schemas/AccessCreateBody" }, { name: "Rule" })).not.toEqual([]);
  });
});

const routes = new Map(allRoutes.map(({ name, route }) => [name, route]));

describe("a good call of every route", () => {
  it.each(Object.entries(cases))("%s has a body and an answer of the document's schemas", async (name, routeCase) => {
    const route = routes.get(name);
    if (route === undefined) throw new Error(`The client has no route ${name}`);
    const { requestBody, responses } = operationOf(route.method, route.path);
    const {
      params = {},
      query = "",
      body,
      token = tokenOf(world, routeCase.as),
    } = (await routeCase.given?.(world)) ?? {};
    const schema = requestBody?.content["application/json"]?.schema;
    if (body === undefined) expect(requestBody?.required).toBeUndefined();
    // One that is not read.
    else if (requestBody === undefined) expect(route.method).toBe("DELETE");
    else if (schema === undefined) expect(requestBody.content).toHaveProperty("text/plain");
    else expect(problems(schema, body)).toEqual([]);

    const path = `${fillPath(route.path, params)}${query === "" ? "" : `?${query}`}`;
    const answer = await call(world.sandbox, route.method, path, { ...(token !== undefined && { token }), body });
    const response = responses[answer.status]?.$ref.replace("#/components/responses/", "") ?? "";
    const expected = document.components.responses[response]?.content["application/json"]?.schema;
    expect(expected, `${answer.status} ${answer.text.slice(0, 200)}`).toBeDefined();
    expect(answer.body.status).toBe(true);
    expect(problems(expected ?? {}, answer.body)).toEqual([]);
  });
});

describe("types made from the document", () => {
  it("compile, and tell good bodies from bad ones", { tags: ["slow"] }, async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "api.ts"), astToString(await openapiTS(JSON.stringify(document))));
    const use = `import type { operations, paths } from "./api.ts";
type Body<Id extends keyof operations> = operations[Id] extends
  { requestBody: { content: { "application/json": infer Content } } } ? Content : never;
export const path: keyof paths = "/device/{deviceID}/data";
export const device: Body<"deviceCreate"> = { name: "Pump", tags: [{ key: "site", value: "north" }] };
export const query: operations["deviceList"]["parameters"]["query"] = { orderBy: "name,asc", filter: { active: true } };
`;
    writeFileSync(join(folder, "good.ts"), use);
    writeFileSync(join(folder, "bad.ts"), use.replace('"Pump"', "5").replace('"name,asc"', '"taste,asc"'));
    const compiler = fileURLToPath(new URL("../../node_modules/typescript-native/bin/tsc", import.meta.url));
    const flags = ["--strict", "--noEmit", "--target", "es2022", "--module", "esnext", "--moduleResolution", "bundler"];
    const args = [
      compiler,
      ...flags,
      "--lib",
      "es2022",
      "--types",
      "",
      "--allowImportingTsExtensions",
      "good.ts",
      "bad.ts",
    ];
    const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    const found = [...stdout.matchAll(/^(\S+)\(.*error TS(\d+)/gm)].map(([, file, code]) => `${file} ${code}`);
    expect(found).toEqual(["bad.ts 2322", "bad.ts 2322"]);
  });
});

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
