import { displays } from "./displays.ts";
import { displayOf, type Rule } from "./engine.ts";
import { get, isSource } from "./readers.ts";
import { buttons } from "./rules/buttons.ts";
import { charts } from "./rules/charts.ts";
import { forms } from "./rules/forms.ts";
import { gauges } from "./rules/gauges.ts";
import { maps } from "./rules/maps.ts";
import { media } from "./rules/media.ts";
import { tableRules } from "./rules/tables.ts";
import { values } from "./rules/values.ts";
import { SHARED_NAMES } from "./shared.ts";

/** Every converter. */
export const rules: readonly Rule[] = [
  ...gauges,
  ...charts,
  ...tableRules,
  ...maps,
  ...media,
  ...forms,
  ...values,
  ...buttons,
];

/** The converters of one old `type`, selected by a key of `display` when there are several. */
interface Branch {
  readonly key: string | undefined;
  readonly subTypes: Map<unknown, Rule>;
}

const branches = new Map<unknown, Branch>();
for (const rule of rules) {
  for (const from of [rule.from].flat()) {
    const [type, subType = "*"] = from.split("/");
    const branch = branches.get(type) ?? { key: from === type ? undefined : rule.chosenBy, subTypes: new Map() };
    branches.set(type, branch);
    branch.subTypes.set(subType, rule);
  }
}

/** Finds the converter by the old type and the sub-type in the display. */
export function ruleFor(widget: unknown): Rule | undefined {
  if (!isSource(widget)) return undefined;
  const found = branches.get(get(widget, "type"));
  const subType = found?.key === undefined ? undefined : get(displayOf(widget), found.key);
  return found?.subTypes.get(subType) ?? found?.subTypes.get("*");
}

const byNewType = new Map<unknown, Rule>(rules.map((each) => [each.type, each]));

/** The converter that produces this type, for widgets with a new type and old keys. */
export function ruleOfNewType(type: unknown): Rule | undefined {
  return byNewType.get(type);
}

/** The display keys that hold a sub-type. */
export const subTypeKeys: readonly string[] = [...new Set(rules.flatMap(({ chosenBy }) => chosenBy ?? []))];

/** Types that only old widgets have. */
export const oldTypes: ReadonlySet<unknown> = new Set([...branches.keys()].filter((type) => !byNewType.has(type)));

const words = (names: string | undefined): string[] => names?.split(" ") ?? [];

const proving = ({ legacy }: Rule): string[] => [...legacy.truthy, ...(legacy.present ?? [])];

const oldKeys: ReadonlySet<string> = new Set(
  rules.flatMap((rule) => [
    ...proving(rule),
    ...(rule.legacy.shared ?? []),
    ...(rule.chosenBy === undefined ? [] : [rule.chosenBy]),
    ...words(rule.keys),
  ]),
);

let allNewKeys: ReadonlySet<string> | undefined;

function newKeys(): ReadonlySet<string> {
  allNewKeys ??= new Set(Object.values(displays()).flatMap(({ properties = {} }) => Object.keys(properties)));
  return allNewKeys;
}

const deeperNames: ReadonlySet<string> = new Set([
  ...words(SHARED_NAMES),
  ...rules.flatMap(({ below }) => words(below)),
]);

/** True when only old displays have the key, or the rule takes it as proof of the old structure. */
export function isOldKey(rule: Rule, key: string): boolean {
  return (oldKeys.has(key) && !newKeys().has(key)) || proving(rule).includes(key);
}

/** True when only new displays have the key. */
export function isNewKey(key: string): boolean {
  return newKeys().has(key) && !oldKeys.has(key);
}

/** True when old displays are known to use the name, at any depth. */
export function isOldName(name: string): boolean {
  return oldKeys.has(name) || deeperNames.has(name);
}
