import { countOf, countText } from "../../../text/count.ts";
import { type Judged, lostSettings, type WidgetOutcome } from "./outcome.ts";

/** A setting that widgets lose. */
export interface LostSetting {
  readonly name: string;
  widgets: number;
  /** What is different to see without it. */
  readonly whys: Set<string>;
}

/** Widgets may have any number of unknown keys. */
const MAX_SETTINGS = 1_000;
/** Reasons that a page has room for, of each setting. */
const MAX_WHYS = 3;

/** How many widgets came to what end. */
export class WidgetCounts {
  readonly #counts = new Map<WidgetOutcome["verdict"], number>();
  /** Widgets that have the legacy structure, converted or not. */
  legacy = 0;
  total = 0;
  #lost = 0;
  #notNeeded = 0;
  readonly #settings = new Map<string, LostSetting>();

  add({ outcome, before }: Judged): void {
    this.#counts.set(outcome.verdict, this.of(outcome.verdict) + 1);
    if (outcome.verdict !== "failed") this.total += 1;
    if (outcome.verdict === "converted") this.#addDropped(outcome.dropped);
    if (before === "legacy" || before === "mixed") this.legacy += 1;
  }

  #addDropped(dropped: WidgetOutcome["dropped"]): void {
    let lost = 0;
    for (const [name, keys] of lostSettings(dropped)) {
      lost += keys.length;
      const setting = this.#settings.get(name) ?? { name, widgets: 0, whys: new Set() };
      if (setting.widgets === 0 && this.#settings.size >= MAX_SETTINGS) continue;
      setting.widgets += 1;
      for (const { reason } of keys) if (setting.whys.size < MAX_WHYS) setting.whys.add(reason);
      this.#settings.set(name, setting);
    }
    this.#lost += lost;
    this.#notNeeded += dropped.length - lost;
  }

  /** What is lost in the most widgets first. */
  get lost(): readonly LostSetting[] {
    return [...this.#settings.values()].sort((a, b) => b.widgets - a.widgets);
  }

  of(verdict: WidgetOutcome["verdict"]): number {
    return this.#counts.get(verdict) ?? 0;
  }

  /** Everything that did not go as it should. */
  get bad(): number {
    return this.of("invalid") + this.of("failed");
  }

  /** True when nothing went as it should. */
  get isAllBad(): boolean {
    return this.bad > 0 && this.bad === this.total + this.of("failed");
  }

  #keys(): string {
    if (this.#lost + this.#notNeeded === 0) return "";
    const rest = this.#notNeeded === 0 ? "" : `, ${countText(this.#notNeeded)} not needed`;
    return ` ${this.#lost === 0 ? "No keys lost" : `${countOf(this.#lost, "key")} lost`}${rest}.`;
  }

  toString(): string {
    const failed = this.of("failed") === 0 ? "" : `, ${countOf(this.of("failed"), "file")} failed`;
    return `${countText(this.of("converted"))} converted, ${countText(this.of("current"))} already current, ${countText(this.of("unsupported"))} without a converter, ${countText(this.of("invalid"))} invalid${failed}.${this.#keys()}`;
  }
}
