import { type CallOptions, type ClientOptions, HttpClient } from "../api/client.ts";
import { Module } from "../api/module.ts";
import { get } from "../api/route.ts";
import { ApiError, InputError, RequestError } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";
import { DICTIONARY_CACHE_TTL_MS } from "../core/limits.ts";
import {
  type DictionaryExpression,
  findExpressions,
  insertParams,
  parseExpression,
  placeholder,
} from "../expression/expression.ts";
import type { LanguageData } from "../resources/dictionaries.ts";

/** Default language. */
const DEFAULT_LANGUAGE = "en-US";

/** @internal */
export const dictionaryReaderRoutes = {
  language: get("/dictionary/:dictionary/:language", { cacheMs: DICTIONARY_CACHE_TTL_MS }),
  runLanguage: get("/dictionary/:runURL/:dictionary/:language", { cacheMs: DICTIONARY_CACHE_TTL_MS, anonymous: true }),
};

/** A dictionary is read with a token, or anonymously through the host name of a portal; nothing can be read without both. */
export interface DictionaryParams extends ClientOptions {
  /** Host name of the portal, e.g. `example.run.tago.io`; requests are then anonymous. */
  runURL?: string | undefined;
  /** Default language of calls. @default "en-US" */
  language?: string | undefined;
}

/** An expression, and the language to resolve it in. */
export interface ResolveExpressionParams {
  /** Code of the language, such as `en-US`. */
  language: string;
  /** Result of `parseExpression`. */
  expression: DictionaryExpression;
}

/** Reads dictionaries and replaces expressions such as `#DICTIONARY.KEY#` with their values. */
export class Dictionary extends Module {
  /** Default language of calls. */
  readonly language: string;
  /** Host name of the portal; undefined when a token is used. */
  readonly runURL: string | undefined;

  /** @throws InputError `Invalid Token` */
  constructor(params?: DictionaryParams | null) {
    super(clientOf(params ?? {}));
    this.language = params?.language ?? DEFAULT_LANGUAGE;
    this.runURL = params?.runURL || undefined;
  }

  /**
   * Reads all values of one language. They are cached for an hour.
   *
   * @param dictionary slug
   * @returns null when the request fails
   * @throws InputError `Missing parameters`
   * @example
   * ```ts
   * const values = await dictionary.getLanguagesData("PORTAL", "pt-PT");
   * console.log(values?.["TANK_FULL"]);
   * ```
   */
  async getLanguagesData(
    dictionary: string,
    language: string = this.language,
    options: CallOptions = {},
  ): Promise<LanguageData | null> {
    if (!dictionary || !language) throw new InputError("Missing parameters");
    try {
      return await this.#read(dictionary, language, options);
    } catch (error) {
      // An untranslated page is better than none; cancelled and invalid calls still throw.
      if (error instanceof ApiError || error instanceof RequestError) return null;
      throw error;
    }
  }

  /**
   * Reads one value. Returns `#DICTIONARY.KEY#` when it cannot be read.
   *
   * @throws InputError `Missing parameters`
   * @example
   * ```ts
   * const text = await dictionary.getValueFromKey("en-US", "PORTAL", "TANK_FULL");
   * ```
   */
  async getValueFromKey(language: string, dictionary: string, key: string, options: CallOptions = {}): Promise<string> {
    if (!language || !dictionary || !key) throw new InputError("Missing parameters");
    const data = await this.getLanguagesData(dictionary, language, options);
    // An overridden `getLanguagesData` may return anything.
    const value = isRecord(data) && Object.hasOwn(data, key) ? data[key] : undefined;
    return value ?? placeholder(dictionary, key);
  }

  /**
   * Parses `#DICTIONARY.KEY,param#`. Returns null when the string is not an expression.
   *
   * @example
   * ```ts
   * const { key, params } = dictionary.parseExpression("#PORTAL.TANK_LEVEL,80#") ?? {};
   * ```
   */
  parseExpression(expression: string): DictionaryExpression | null {
    return parseExpression(expression);
  }

  /**
   * Finds all expressions in a string, in order.
   *
   * @example
   * ```ts
   * const found = await dictionary.getExpressionsFromString("#PORTAL.HELLO# Jo, #PORTAL.TANK_LEVEL,80#");
   * ```
   */
  async getExpressionsFromString(rawString: string): Promise<DictionaryExpression[]> {
    return findExpressions(rawString).map((found) => found.expression);
  }

  /**
   * Resolves an expression to its value, with its params inserted for `$0`, `$1` ... `$99`.
   *
   * @example
   * ```ts
   * const expression = dictionary.parseExpression("#PORTAL.TANK_LEVEL,80#");
   * if (expression) console.log(await dictionary.resolveExpression({ language: "en-US", expression }));
   * ```
   */
  async resolveExpression(resolveParams: ResolveExpressionParams, options: CallOptions = {}): Promise<string> {
    const { language, expression } = resolveParams ?? {};
    if (typeof expression !== "object" || expression === null) throw new InputError("Missing parameters");
    const { dictionary, key, params = [] } = expression;
    return insertParams(String(await this.getValueFromKey(language, dictionary, key, options)), params);
  }

  /**
   * Replaces all expressions in a string, in the language of this object. Returns "" for `undefined` and `null`, and
   * other values that are no string as they are.
   *
   * @param _options ignored, as in the official SDK
   * @example
   * ```ts
   * const text = await dictionary.applyToString("#PORTAL.HELLO# Jo");
   * ```
   */
  async applyToString(rawString: string, _options?: object, options: CallOptions = {}): Promise<string> {
    if (typeof rawString !== "string") return rawString ?? "";
    const found = findExpressions(rawString);
    const { language } = this;
    const texts = await Promise.all(
      found.map(({ expression }) => this.resolveExpression({ language, expression }, options)),
    );
    let result = "";
    let at = 0;
    for (const [index, { start, end }] of found.entries()) {
      result += rawString.slice(at, start) + (texts[index] ?? "");
      at = end;
    }
    return result + rawString.slice(at);
  }

  #read(dictionary: string, language: string, options: CallOptions): Promise<LanguageData | null> {
    const { runURL } = this;
    if (runURL !== undefined) {
      return this.call(dictionaryReaderRoutes.runLanguage, { ...options, params: { runURL, dictionary, language } });
    }
    const query = { fallback: true };
    return this.call(dictionaryReaderRoutes.language, { ...options, params: { dictionary, language }, query });
  }
}

/** A portal's dictionaries are read without a token, which the base class requires. */
function clientOf(params: DictionaryParams): HttpClient {
  const { token, ...rest } = params;
  return new HttpClient(params.runURL || !token ? rest : { ...rest, token });
}
