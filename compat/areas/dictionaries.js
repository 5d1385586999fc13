import { deepEqual, equal, has, ID, ok, refused } from "../kit.js";

export async function run(row, world) {
  const { resources, sdk } = world;
  const { dictionaries } = resources;
  const made = {};

  await row("dictionaries.create", async () => {
    const result = await dictionaries.create({ name: "Compat words", slug: "COMPAT", fallback: "en-US" });
    has(result, { dictionary: ID });
    made.id = result.dictionary;
  });
  await row("dictionaries.info", async () => {
    const info = await dictionaries.info(made.id);
    has(info, { id: made.id, name: "Compat words", slug: "COMPAT", fallback: "en-US", created_at: Date });
    deepEqual(info.languages, [{ code: "en-US", active: true }]);
  });
  await row("dictionaries.list", async () => {
    const found = await dictionaries.list({ filter: { slug: "COMPAT" } });
    equal(found.length, 1);
    has(found[0], { id: made.id, slug: "COMPAT" });
  });
  await row("dictionaries.edit", async () => {
    equal(await dictionaries.edit(made.id, { name: "Compat words 2" }), "Successfully Updated");
    has(await dictionaries.info(made.id), { name: "Compat words 2" });
  });
  await row("dictionaries.languageEdit", async () => {
    const english = { dictionary: { HELLO: "Hello", BYE: "Bye $0" }, active: true };
    equal(await dictionaries.languageEdit(made.id, "en-US", english), "Dictionary language Successfully Updated");
    await dictionaries.languageEdit(made.id, "pt-BR", { dictionary: { HELLO: "Olá" }, active: true });
    const codes = (await dictionaries.info(made.id)).languages.map(({ code }) => code).sort();
    deepEqual(codes, ["en-US", "pt-BR"]);
  });
  await row("dictionaries.languageInfo", async () => {
    deepEqual(await dictionaries.languageInfo(made.id, "en-US"), { HELLO: "Hello", BYE: "Bye $0" });
    has(await dictionaries.languageInfo(made.id, "pt-BR"), { HELLO: "Olá" });
  });
  await row("dictionaries.languageInfo falls back only when asked", async () => {
    await refused(dictionaries.languageInfo(made.id, "fr-FR", { fallback: false }), "fr-FR can't be found");
    has(await dictionaries.languageInfo(made.id, "fr-FR", { fallback: true }), { HELLO: "Hello" });
  });
  await row("dictionaries.languageInfoBySlug", async () => {
    has(await dictionaries.languageInfoBySlug("COMPAT", "pt-BR"), { HELLO: "Olá" });
  });
  await row("Dictionary reads values and expressions", async () => {
    const reader = new sdk.Dictionary({ token: world.tokens.profile, language: "en-US" });
    equal(await reader.getValueFromKey("en-US", "COMPAT", "HELLO"), "Hello");
    equal(await reader.getValueFromKey("en-US", "COMPAT", "NONE"), "#COMPAT.NONE#");
    equal(await reader.applyToString("Say #COMPAT.HELLO#"), "Say Hello");
    equal(await reader.applyToString("#COMPAT.BYE,Ann#"), "Bye Ann");
  });
  await row("Dictionary without a token, by the address of the portal", async () => {
    const { url } = await resources.run.info();
    const reader = new sdk.Dictionary({ runURL: url, language: "pt-BR" });
    equal(await reader.getValueFromKey("pt-BR", "COMPAT", "HELLO"), "Olá");
  });
  await row("dictionaries.languageDelete", async () => {
    await dictionaries.languageDelete(made.id, "pt-BR");
    deepEqual(
      (await dictionaries.info(made.id)).languages.map(({ code }) => code),
      ["en-US"],
    );
  });
  await row("dictionaries.delete", async () => {
    equal(await dictionaries.delete(made.id), "Successfully Removed");
    await refused(dictionaries.info(made.id), "Dictionary Not Found");
  });
  await row("the dictionary of the seed", async () => {
    const [found] = await dictionaries.list({ filter: { slug: "TEST" } });
    const codes = found.languages.map(({ code, active }) => `${code} ${active}`).sort();
    ok(codes.includes("en-US true") && codes.includes("pt-BR true") && codes.includes("es false"), codes.join());
  });
}
