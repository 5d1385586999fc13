import { expect, it } from "vitest";
import { widgetIds } from "../../src/commands/profile/apply/queue-kind.ts";

const [widget, other, device, made] = ["a", "b", "c", "d"].map((digit) => digit.repeat(24));
const document = { widgets: [{ id: widget }, { id: other }], label: "Plant" };

it("ids of new widgets count for widgets of the document, and only where they are ids", () => {
  const noted = { [`${widget}`]: made, [`${other}`]: "../../account", [`${device}`]: made, Plant: made };
  expect([...widgetIds([document], noted)]).toEqual([[widget, made]]);
});

it.each([undefined, null, "text", [made], { [`${widget}`]: { id: made } }])("%j names none", (noted) => {
  expect(widgetIds([document], noted).size).toBe(0);
});
