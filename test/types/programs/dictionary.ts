// Dictionaries: texts of a language, and expressions in texts.
import {
  Dictionary,
  type IDictionaryModuleParams,
  type IParsedExpression,
  type LanguageData,
  type Resources,
} from "iotdeck";

const params: IDictionaryModuleParams = { token: "d-token", language: "en-US" };
const dictionary = new Dictionary(params);

export async function texts(): Promise<string> {
  const data: LanguageData | null = await dictionary.getLanguagesData("PORTAL", "pt-BR");
  const expression: IParsedExpression | null = dictionary.parseExpression("#PORTAL.LEVEL,80#");
  const text = expression ? await dictionary.resolveExpression({ language: "en-US", expression }) : "";
  return `${data?.["HELLO"]} ${text} ${await dictionary.applyToString("#PORTAL.HELLO#", { language: "en-US" })}`;
}
export async function edit(resources: Resources): Promise<void> {
  const { dictionary: id } = await resources.dictionaries.create({ name: "Portal", slug: "PORTAL", fallback: "en-US" });
  await resources.dictionaries.languageEdit(id, "en-US", { dictionary: { HELLO: "Hello" }, active: true });
  const list = await resources.dictionaries.list({ filter: { slug: "PORTAL" }, orderBy: ["name", "asc"] });
  console.log(
    list[0]?.languages,
    (await resources.dictionaries.languageInfo(id, "en-US", { fallback: true }))["HELLO"],
  );
}
