import { isRuntime, runtimeOf } from "../../analyses/runtimes.ts";
import { isObject, type JsonObject, objectOf } from "../../files/files.ts";
import { documentText, listOf } from "../../folders/documents.ts";
import { canonicalText } from "../../state/snapshots.ts";
import { withSecrets } from "../canonical.ts";
import { dashboardRules } from "./dashboard.ts";
import type { Rules } from "./types.ts";

const isSame = (a: unknown, b: unknown): boolean => canonicalText(a ?? null) === canonicalText(b ?? null);
const byKey = (list: unknown): ReadonlyMap<string, JsonObject> =>
  new Map(listOf(list).map((each) => [documentText(each, "key"), each]));

const device: Rules = {
  fixed: ["type", "chunk_period"],
  parts: ["params"],
  neverNull: (member) => member === "parse_function" || member === "serie_number",
  settle({ current, wanted, prune }) {
    const [now, files] = [byKey(current["params"]), byKey(wanted["params"])];
    // Without a value it was a secret, which files do not have.
    const known = [...files].filter(([key, { value }]) => typeof value === "string" || now.has(key));
    const stay = [...now].filter(([key, { value }]) => !files.has(key) && (!prune || typeof value !== "string"));
    const params = [...known, ...stay].map(([key, param]) =>
      typeof param["value"] === "string" ? param : (now.get(key) ?? param),
    );
    return { ...wanted, params: params.sort((a, b) => (documentText(a, "key") < documentText(b, "key") ? -1 : 1)) };
  },
  before({ id, found, current, wanted }) {
    const [now, ids] = [byKey(current["params"]), byKey(found["params"])];
    const changed = listOf(wanted["params"]).filter((param) => !isSame(param, now.get(documentText(param, "key"))));
    const body = changed.map(({ key, value }) => {
      const known = ids.get(String(key));
      const id = known === undefined ? {} : { id: known["id"] };
      return { ...id, key, value: withSecrets(value, known?.["value"]), sent: false };
    });
    return body.length === 0 ? [] : [{ method: "POST", path: `/device/${id}/params`, body }];
  },
  after({ id, found, wanted }) {
    const stay = byKey(wanted["params"]);
    const gone = listOf(found["params"]).filter((param) => !stay.has(documentText(param, "key")));
    return gone.map((param) => ({ method: "DELETE", path: `/device/${id}/params/${documentText(param, "id")}` }));
  },
};

/** Properties of two objects, by name: what the files have, and what the platform has. */
function pairs(wanted: unknown, current: unknown): readonly (readonly [string, JsonObject, JsonObject | undefined])[] {
  const now = objectOf(current);
  return Object.entries(objectOf(wanted)).map(([name, value]) => {
    const before = now[name];
    return [name, objectOf(value), isObject(before) ? before : undefined];
  });
}

/** Fields and indexes are added, and a field becomes required or optional: nothing else keeps the rows as they are. */
const entity: Rules = {
  parts: ["schema", "index"],
  settle({ current, wanted }) {
    const fields = pairs(wanted["schema"], current["schema"]).map(([name, field, now]) => {
      const isUnsaid = field["required"] === undefined && now?.["required"] !== undefined;
      return [name, isUnsaid ? { ...field, required: false } : field] as const;
    });
    const schema = { ...objectOf(current["schema"]), ...Object.fromEntries(fields) };
    const index = { ...objectOf(current["index"]), ...objectOf(wanted["index"]) };
    return { ...wanted, schema, index };
  },
  conflict({ current, wanted }) {
    for (const [name, field, now] of pairs(wanted["schema"], current["schema"])) {
      if (now !== undefined && now["type"] !== field["type"])
        return `the type of field "${name}" cannot change from ${String(now["type"])} to ${String(field["type"])}`;
    }
    const index = pairs(wanted["index"], current["index"]);
    const changed = index.find(([, each, now]) => now !== undefined && !isSame(now["fields"], each["fields"]));
    return changed === undefined ? undefined : `index "${changed[0]}" exists with other fields`;
  },
  before({ id, current, wanted }) {
    const schema = pairs(wanted["schema"], current["schema"]).flatMap(([name, field, now]): [string, object][] => {
      if (now === undefined) return [[name, { action: "create", ...field }]];
      return isSame(field, now) ? [] : [[name, { action: "update", required: field["required"] }]];
    });
    const index = pairs(wanted["index"], current["index"])
      .filter(([, , now]) => now === undefined)
      .map(([name, { fields }]): [string, object] => [name, { action: "create", fields }]);
    if (schema.length + index.length === 0) return [];
    const body = {
      ...(schema.length === 0 ? {} : { schema: Object.fromEntries(schema) }),
      ...(index.length === 0 ? {} : { index: Object.fromEntries(index) }),
    };
    return [{ method: "PUT", path: `/entity/${id}/schema`, body }];
  },
};

const codesOf = (list: unknown): string[] => listOf(list).map((language) => documentText(language, "code"));

const dictionary: Rules = {
  parts: ["languages", "texts"],
  settle({ current, wanted, prune }) {
    const now = listOf(current["languages"]);
    const files = listOf(wanted["languages"]);
    // The platform keeps them in the order they were written in, its fallback first.
    const known = now.filter(({ code }) => !prune || files.some((each) => each["code"] === code));
    const languages = [
      ...known.map((each) => files.find(({ code }) => code === each["code"]) ?? each),
      ...files.filter(({ code }) => !known.some((each) => each["code"] === code)),
    ].sort((a, b) => Number(b["code"] === wanted["fallback"]) - Number(a["code"] === wanted["fallback"]));
    const texts = { ...objectOf(current["texts"]), ...objectOf(wanted["texts"]) };
    const codes = codesOf(languages);
    return { ...wanted, languages, texts: Object.fromEntries(codes.map((code) => [code, texts[code] ?? {}])) };
  },
  before({ id, found, current, wanted }) {
    const [before, texts, raw] = [objectOf(current["texts"]), objectOf(wanted["texts"]), objectOf(found["texts"])];
    const changed = listOf(wanted["languages"]).filter((language) => {
      const code = documentText(language, "code");
      const now = listOf(current["languages"]).find((each) => each["code"] === code);
      return !isSame(now, language) || !isSame(before[code], texts[code]);
    });
    return changed.map((language) => {
      const code = documentText(language, "code");
      const body = { dictionary: withSecrets(texts[code], raw[code], false), active: language["active"] !== false };
      return { method: "PUT", path: `/dictionary/${id}/${encodeURIComponent(code)}`, body };
    });
  },
  after({ id, current, wanted }) {
    const gone = codesOf(current["languages"]).filter((code) => !codesOf(wanted["languages"]).includes(code));
    return gone.map((code) => ({ method: "DELETE", path: `/dictionary/${id}/${encodeURIComponent(code)}` }));
  },
};

const scriptMembers = ["script", "file_name", "runtime"];

const analysis: Rules = {
  // The runtime and the interval follow from the script and from actions. Values of variables are set by hand.
  kept: ["variables", "interval"],
  parts: scriptMembers,
  settle({ current, wanted }) {
    if (typeof wanted["script"] === "string") return wanted;
    return { ...wanted, ...Object.fromEntries(scriptMembers.map((member) => [member, current[member]])) };
  },
  before({ id, current, wanted }) {
    const { script, file_name: name, runtime } = wanted;
    const isUploaded = scriptMembers.every((member) => isSame(current[member], wanted[member]));
    if (isUploaded || typeof script !== "string") return [];
    const fileName = typeof name === "string" ? name : "script.js";
    const language = isRuntime(runtime) ? runtime : runtimeOf(fileName);
    const file = Buffer.from(script, "utf8").toString("base64");
    return [{ method: "POST", path: `/analysis/${id}/upload`, body: { file, file_name: fileName, language } }];
  },
};

const integration: Rules = { neverNull: (member) => !member.startsWith("payload_") };

/** By kind; the others need no rules. */
export const rulesOf: Readonly<Record<string, Rules>> = {
  network: integration,
  connector: integration,
  device,
  entity,
  dictionary,
  query: { isWhole: true },
  analysis,
  dashboard: dashboardRules,
  "run-user": { kept: ["email"], neverNull: (member) => member !== "phone" },
};
