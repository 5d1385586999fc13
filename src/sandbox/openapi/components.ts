import { LIST_AMOUNT, MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";

/** A part of a document. */
export type Json = Readonly<Record<string, unknown>>;

export const ref = (folder: "schemas" | "parameters" | "responses", name: string): Json => ({
  $ref: `#/components/${folder}/${name}`,
});

export const jsonContent = (schema: Json): Json => ({ "application/json": { schema } });

/** Possible results, by the name of their response. */
const results: Readonly<Record<string, Json>> = {
  AnyResult: {},
  ObjectResult: { type: "object", additionalProperties: true },
  ListResult: { type: "array", items: {} },
  DataResult: { oneOf: [{ type: "array", items: {} }, { type: "number" }] },
  IdResult: { type: "object", properties: { id: ref("schemas", "Id") }, required: ["id"] },
  TextResult: { type: "string" },
};

const success = (result: Json): Json => ({
  type: "object",
  properties: { status: { type: "boolean", const: true }, result },
  required: ["status", "result"],
});

const Refusal: Json = {
  type: "object",
  properties: {
    status: { type: "boolean", const: false },
    message: {
      description: "What is wrong: a text, or for some routes problems by property.",
      oneOf: [{ type: "string" }, { type: "object", additionalProperties: true }],
    },
    field_errors: {
      description: "Problems of the body, by property.",
      type: "object",
      additionalProperties: { type: "array", items: { type: "string" } },
    },
  },
  required: ["status", "message"],
};

const refusals: Readonly<Record<string, string>> = {
  Refused: "The request is rejected.",
  Unauthorized: "No token, an unknown or expired one, or one that may not do this.",
  LimitReached: "The plan allows no more of these.",
  Forbidden: "Requests of this origin, or to this host name, are rejected.",
  NotFound: "Something the path or the body names does not exist.",
  TooManyRequests: "The minute has had enough of these requests.",
  Assumed: "A strict sandbox rejects what rests on an assumption (x-assumed).",
};

const retryAfter = { description: "Seconds to wait.", schema: { type: "integer" } };

const responses = Object.fromEntries([
  ...Object.keys(results).map((name) => [
    name,
    { description: "Success.", content: jsonContent(ref("schemas", name)) },
  ]),
  ...Object.entries(refusals).map(([name, description]) => [
    name,
    {
      description,
      ...(name === "TooManyRequests" && { headers: { "Retry-After": retryAfter } }),
      content: jsonContent(ref("schemas", "Refusal")),
    },
  ]),
]);

const parameters: Json = {
  Page: {
    name: "page",
    in: "query",
    description: "Page, from 1.",
    schema: { type: "integer", minimum: 1, default: 1 },
  },
  Amount: {
    name: "amount",
    in: "query",
    description: `Rows of a page, at most ${MAX_LIST_AMOUNT}.`,
    schema: { type: "integer", minimum: 1, default: LIST_AMOUNT },
  },
  Others: {
    name: "others",
    in: "query",
    description: "Other query parameters of the platform, each under its own name.",
    style: "form",
    explode: true,
    schema: { type: "object", additionalProperties: true },
  },
};

/** Headers a token can be in; clients need one of them. */
const securitySchemes: Json = {
  token: { type: "apiKey", in: "header", name: "token", description: "x-token-kinds names the kinds let in." },
  authorization: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: "The same token, without a scheme.",
  },
};

export const security: readonly Json[] = Object.keys(securitySchemes).map((name) => ({ [name]: [] }));

/** The components of operations. @param schemas those of the bodies and filters */
export const components = (schemas: Json): Json => ({
  securitySchemes,
  parameters,
  responses,
  schemas: {
    ...Object.fromEntries(Object.entries(results).map(([name, result]) => [name, success(result)])),
    Refusal,
    ...schemas,
  },
});
