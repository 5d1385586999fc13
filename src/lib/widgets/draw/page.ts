/**
 * What `dist/draw.js` holds: the module `iotdeck/draw`, and what the console of the sandbox reads widgets with, which
 * its page would load twice otherwise. Only the first is declared.
 */
export { isRecord } from "../../core/json.ts";
export { ruleOfNewType } from "../catalog.ts";
export { displays } from "../displays.ts";
export { convert } from "../engine.ts";
export * from "../json-schema.ts";
export { chosenColor, colorOf, inkOn } from "./color.ts";
export { type Choice, choicesOf, type FormField, fieldOf, isSilent, isVisible, sectionsOf, startOf } from "./fields.ts";
export { devicesFor, firstDevices, type GridPlace, gridOf, withDevices } from "./grid.ts";
export * from "./index.ts";
export { intervalStart } from "./intervals.ts";
export { type Key, keysOf } from "./keys.ts";
export { below, idIn, numberIn, textIn, textOf } from "./read.ts";
export { type Point, Records, type Row } from "./records.ts";
export { endsOfHoles } from "./series.ts";
export { readTable, type TableColumn } from "./tables.ts";
export { isChart, readTimes, type TimeReading, type TimeValue } from "./times.ts";
