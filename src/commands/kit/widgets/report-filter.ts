/** Settings that can be chosen one by one. */
export const MAX_CHOICES = 20;

const radio = (id: string, html: string): string =>
  `<label><input type="radio" name="show" id="show-${id}"${id === "all" ? " checked" : ""}> ${html}</label>`;

/** What a page shows of its widgets. It works by the style sheet alone, as the policy of the page permits no script. */
export const filter = `<div class="filter" role="group" aria-label="Show">
${radio("all", "All")} ${radio("changed", "Changed")} ${radio("loses", "Lost")}</div>
<p class="nothing">No widgets match.</p>`;

/** The settings that widgets of a page lose, by the number in the class of those widgets. */
export class LostChoices {
  readonly #numbers = new Map<string, number>();

  /** The classes of a widget that loses these settings. */
  classesOf(settings: readonly string[]): string {
    return settings.map((name) => ` lost-${this.#numberOf(name)}`).join("");
  }

  /** A choice that shows only the widgets that lose the setting; without a number left, its text. */
  choiceOf(name: string, html: string): string {
    const number = this.#numberOf(name);
    return number === "other" ? html : radio(`lost-${number}`, html);
  }

  #numberOf(name: string): number | "other" {
    const number = this.#numbers.get(name);
    if (number !== undefined) return number;
    if (this.#numbers.size >= MAX_CHOICES) return "other";
    this.#numbers.set(name, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

const chosen = ["changed", "loses", ...Array.from({ length: MAX_CHOICES }, (_, i) => `lost-${i}`)];

/** The style of the filter. A group without a widget to show goes with its heading. */
export const filterStyle = `.nothing { display: none; }
${chosen
  .map((name) => {
    const page = `main:has(#show-${name}:checked)`;
    return `${page} :is(.widget:not(.${name}), .group:not(:has(.${name})), .left) { display: none; }
${page}:not(:has(.${name})) .nothing { display: block; }
`;
  })
  .join("")}`;
