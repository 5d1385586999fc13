import { cleanLine } from "../../text/clean.ts";
import { Listeners } from "../hooks/listeners.ts";
import type { ListData, ListOptions, ListRow } from "./types.ts";

/** Ages on the screen grow without news. */
const TICK_MS = 1_000;

/** The list and the row that is selected; notifies its listeners when there is something to draw. */
export class ListModel {
  data: ListData;
  isReading = false;
  hasHelp = false;
  /** Why the list could not be read; empty when it could. */
  notice = "";
  /** Rows that are new or other than at the reading before. */
  changed: ReadonlySet<string> = new Set();
  readonly #options: ListOptions;
  readonly #listeners = new Listeners(() => this.#changed(), TICK_MS);
  #selected: string | undefined;
  #version = 0;

  constructor(options: ListOptions) {
    this.#options = options;
    this.data = options.data;
  }

  readonly subscribe = (listener: () => void): (() => void) => this.#listeners.add(listener);

  readonly version = (): number => this.#version;

  /** Index of the selected row; the first one when it is gone. */
  selectedIndex(): number {
    const found = this.data.rows.findIndex(({ id }) => id === this.#selected);
    return Math.max(0, found);
  }

  move(by: number): void {
    const last = this.data.rows.length - 1;
    const at = Math.max(0, Math.min(last, this.selectedIndex() + by));
    this.#selected = at === 0 ? undefined : this.data.rows[at]?.id;
    this.#changed();
  }

  toggleHelp(): void {
    this.hasHelp = !this.hasHelp;
    this.#changed();
  }

  /** Reads the list again. What is shown stays when that fails. */
  async refresh(): Promise<void> {
    if (this.isReading) return;
    this.isReading = true;
    this.#changed();
    try {
      const data = await this.#options.load();
      this.changed = changedIds(this.data.rows, data.rows);
      this.data = data;
      this.notice = "";
    } catch (error) {
      this.notice = `Not read: ${cleanLine(error instanceof Error ? error.message : String(error), 300)}`;
    } finally {
      this.isReading = false;
      this.#changed();
    }
  }

  #changed(): void {
    this.#version += 1;
    this.#listeners.call();
  }
}

function changedIds(before: readonly ListRow[], now: readonly ListRow[]): ReadonlySet<string> {
  const known = new Map(before.map(({ id, content }) => [id, content]));
  return new Set(now.flatMap(({ id, content }) => (known.get(id) === content ? [] : [id])));
}
