import { expect, it } from "vitest";
import { checkScreens } from "../helpers/screens.ts";

it('shows the console as it is in docs/screens; "npm run docs:screens" draws it again', async () => {
  const chromium = process.env["CHROMIUM"];
  expect(await checkScreens(chromium === undefined ? {} : { CHROMIUM: chromium }, "--browser")).toBe("");
});
