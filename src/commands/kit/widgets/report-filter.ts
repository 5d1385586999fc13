const choices = [
  ["all", "All"],
  ["changed", "Changed"],
  ["loses", "Lost"],
] as const;

const radio = ([id, name]: (typeof choices)[number]): string =>
  `<label><input type="radio" name="show" id="show-${id}"${id === "all" ? " checked" : ""}> ${name}</label>`;

/** What a page shows of its widgets. The choices need the style sheet alone; the text needs the script. */
export const filter = `<div class="filter" role="group" aria-label="Show">${choices.map(radio).join(" ")}
<label class="find" hidden>Text <input type="search" id="find"></label></div>
<p class="nothing" hidden>No widgets match.</p>`;

/** The style of the filter: groups without a widget to show go with their heading. */
export const filterStyle = choices
  .slice(1)
  .map(
    ([
      id,
    ]) => `main:has(#show-${id}:checked) :is(.widget:not(.${id}), .group:not(:has(.${id}:not([hidden])))) { display: none; }
`,
  )
  .join("");

/** Constant, so that the policy of the page can name it by its hash: nothing else runs. */
export const filterScript = `
const find = document.getElementById("find");
const nothing = document.querySelector(".nothing");
const groups = [...document.querySelectorAll(".left, .group")];
let widgets;
find.closest("label").hidden = false;
document.querySelector(".filter").addEventListener("input", () => {
  widgets ??= [...document.querySelectorAll(".widget")].map((element) => [element, element.textContent.toLowerCase()]);
  const wanted = find.value.trim().toLowerCase();
  for (const [element, text] of widgets) element.hidden = !text.includes(wanted);
  for (const group of groups) {
    group.hidden = group.querySelector(".widget:not([hidden])") === null;
    if (group.matches(".left")) group.open = wanted !== "" && !group.hidden;
  }
  nothing.hidden = groups.some((group) => group.getClientRects().length > 0);
});
`;
