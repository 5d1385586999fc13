import { jsonSchemas } from "../../schema/json-schema.ts";
import { routeKey } from "../core/route-key.ts";
import { SANDBOX_VERSION } from "../core/version.ts";
import { permissionFor } from "../http/auth.ts";
import type { Binding } from "../http/run-handler.ts";
import type { HttpServer } from "../http/server.ts";
import type { Kinds } from "../store/kinds.ts";
import { components, type Json, jsonContent, ref, security } from "./components.ts";
import { capital, operationName } from "./names.ts";
import { listParameters, pathParameters } from "./parameters.ts";

interface Parts {
  readonly server: HttpServer;
  readonly kinds: Kinds;
  readonly address: { readonly origin: string };
}

/** Schemas that operations refer to. */
interface Collected {
  /** Schemas of bodies by their names, and names by schema: routes may share one. */
  readonly bodies: Map<string, unknown>;
  readonly bodyNames: Map<unknown, string>;
  readonly filters: Record<string, Json>;
}

/** A schema for a form or JSON, or the JSON of any body; a reader without a schema accepts the body as text. */
function requestBody({ route, options }: Binding, operationId: string, { bodies, bodyNames }: Collected): Json {
  const { body, read } = options;
  if (body === undefined) {
    if (route.method !== "POST" && route.method !== "PUT") return {};
    const text = { "text/plain": { schema: { type: "string" } } };
    return { requestBody: { content: read === undefined ? { ...jsonContent({}), ...text } : text } };
  }
  const schema = body.schema ?? body;
  const name = bodyNames.get(schema) ?? `${capital(operationId)}Body`;
  bodyNames.set(schema, name);
  bodies.set(name, schema);
  const file = { type: "string", contentMediaType: "application/octet-stream" };
  const form = { type: "object", properties: { file }, additionalProperties: { type: "string" } };
  const content = {
    ...jsonContent(ref("schemas", name)),
    ...(read !== undefined && { "multipart/form-data": { schema: form } }),
  };
  return { requestBody: { content, ...(!body.safeParse(undefined).success && { required: true }) } };
}

const RESULTS = { any: "AnyResult", object: "ObjectResult", list: "ListResult", data: "DataResult" } as const;

function responses({ route, options, rates }: Binding): Json {
  const name =
    options.result === undefined ? RESULTS[route.result ?? "any"] : (`${capital(options.result)}Result` as const);
  const to = (response: string): Json => ref("responses", response);
  return {
    200: to(name),
    ...(route.method === "POST" && { 201: to(name) }),
    400: to("Refused"),
    ...(route.anonymous !== true && { 401: to("Unauthorized") }),
    ...(options.creates !== undefined && { 402: to("LimitReached") }),
    403: to("Forbidden"),
    ...(route.path.includes(":") && { 404: to("NotFound") }),
    ...(rates.length > 0 && { 429: to("TooManyRequests") }),
    ...(options.gaps !== undefined && { 501: to("Assumed") }),
    default: to("Refused"),
  };
}

/** Information that OpenAPI has no fields for. */
function extensions({ route, kinds, options, rates }: Binding): Json {
  const asked = route.anonymous !== true && { "x-permission": options.permission ?? permissionFor(route.method) };
  return {
    "x-token-kinds": kinds,
    ...asked,
    ...(rates.length > 0 && {
      "x-rate-limit": rates.map(({ name, query, perMinute }) => ({ name, query, perMinute })),
    }),
    ...(options.gaps !== undefined && {
      "x-assumed": options.gaps.map(({ subject, choice }) => `${subject}: ${choice}`),
    }),
  };
}

function tokens({ route, kinds, options }: Binding): Json {
  if (route.anonymous === true) return { description: "No token.", security: [] };
  const description = `Tokens: ${kinds.join(", ")}${options.tokenOptional === true ? "; or none" : ""}.`;
  return { description, ...(options.tokenOptional === true && { security: [{}, ...security] }) };
}

function operation(binding: Binding, path: string, { kinds }: Parts, collected: Collected): Json {
  const { route, options } = binding;
  const { tag, id } = operationName(route);
  const addFilter = (name: string, schema: Json): void => {
    collected.filters[name] = schema;
  };
  const list = route.list === undefined ? [] : listParameters(options.rule, kinds, addFilter);
  return {
    operationId: id,
    tags: [tag],
    ...tokens(binding),
    parameters: [...pathParameters(path), ...list, ref("parameters", "Others")],
    ...requestBody(binding, id, collected),
    responses: responses(binding),
    ...extensions(binding),
  };
}

/** The OpenAPI 3.1 document of the bound routes: those of the platform's API, not the sandbox's own. */
export function openApiDocument(parts: Parts): Json {
  const collected: Collected = { bodies: new Map(), bodyNames: new Map(), filters: {} };
  const paths = new Map<string, { readonly path: string; readonly operations: Record<string, Json> }>();
  for (const binding of parts.server.bindings) {
    const { route } = binding;
    // OpenAPI treats paths that differ only in parameter names as one.
    const key = routeKey("", route.path);
    const item = paths.get(key) ?? { path: route.path.replaceAll(/:([A-Za-z_]+)/g, "{$1}"), operations: {} };
    paths.set(key, item);
    item.operations[route.method.toLowerCase()] = operation(binding, item.path, parts, collected);
  }
  const tags = new Set(parts.server.bindings.map(({ route }) => operationName(route).tag));
  return {
    openapi: "3.1.0",
    info: {
      title: "Platform API of the iotdeck sandbox",
      version: SANDBOX_VERSION,
      description: "Made from the routes and the body schemas of the sandbox.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: parts.address.origin }],
    security,
    tags: [...tags].sort().map((name) => ({ name })),
    paths: Object.fromEntries([...paths.values()].map(({ path, operations }) => [path, operations])),
    components: components({
      ...jsonSchemas(collected.bodies, (name) => `#/components/schemas/${name}`),
      ...collected.filters,
    }),
  };
}
