import { dayjsExpression } from "./dayjs.ts";
import { createConsole, createDescribe, createTimeUtils } from "./globals.ts";

/**
 * All globals of decoders beside the language, as one script that runs in each context. `dayjs` is created on first
 * use.
 */
export const prelude = (timeLimitMs: number): string => `"use strict";
(() => {
  const lines = [];
  const { parse, stringify } = JSON;
  const take = (name) => {
    const value = parse(globalThis[name]);
    delete globalThis[name];
    return value;
  };
  const hidden = (name, value) => Object.defineProperty(globalThis, name, { value });
  const open = (name, value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  hidden("__lines", () => stringify(lines));
  hidden("__result", () => stringify(payload));
  hidden("__describe", (${createDescribe.toString()})(${timeLimitMs}, take("__parser")));
  const lazy = (name, make) => Object.defineProperty(globalThis, name, {
    get: () => { open(name, make()); return globalThis[name]; },
    set: (value) => open(name, value),
    configurable: true,
  });
  open("console", (${createConsole.toString()})(lines));
  lazy("dayjs", () => ${dayjsExpression()});
  open("timeUtils", (${createTimeUtils.toString()})());
  open("atob", (text) => Buffer.from(String(text), "base64").toString("latin1"));
  open("btoa", (text) => Buffer.from(String(text), "latin1").toString("base64"));
  const bytes = (value) => value?.type === "Buffer" && Array.isArray(value.data) ? Buffer.from(value.data) : value;
  open("payload", bytes(take("__payload")));
  open("raw_payload", bytes(take("__raw")));
  open("device", take("__device"));
  const module = { exports: {} };
  open("module", module);
  open("exports", module.exports);
  for (const [name, value] of Object.entries(take("__globals"))) if (!(name in globalThis)) open(name, value);
})();`;
