import { countOf, countText } from "../../../text/count.ts";
import type { Judged, WidgetOutcome } from "./outcome.ts";

/** How many widgets came to what end. */
export class WidgetCounts {
  readonly #counts = new Map<WidgetOutcome["verdict"], number>();
  /** Widgets that have the legacy structure, converted or not. */
  legacy = 0;
  total = 0;
  #lost = 0;
  #harmless = 0;

  add({ outcome, before }: Judged): void {
    this.#counts.set(outcome.verdict, this.of(outcome.verdict) + 1);
    if (outcome.verdict !== "failed") this.total += 1;
    for (const { isHarmless } of outcome.verdict === "converted" ? outcome.dropped : []) {
      if (isHarmless) this.#harmless += 1;
      else this.#lost += 1;
    }
    if (before === "legacy" || before === "mixed") this.legacy += 1;
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

  #dropped(): string {
    if (this.#lost + this.#harmless === 0) return "";
    const harmless = this.#harmless === 0 ? "" : `, ${countText(this.#harmless)} not needed`;
    return ` ${this.#lost === 0 ? "No keys lost" : `${countOf(this.#lost, "key")} lost`}${harmless}.`;
  }

  toString(): string {
    const failed = this.of("failed") === 0 ? "" : `, ${countOf(this.of("failed"), "file")} failed`;
    return `${countText(this.of("converted"))} converted, ${countText(this.of("current"))} already current, ${countText(this.of("unsupported"))} unsupported, ${countText(this.of("invalid"))} invalid${failed}.${this.#dropped()}`;
  }
}
