import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./imports.ts";

const pages = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"],
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name.replaceAll("\\", "/")}`),
];
const texts = new Map(pages.map((page) => [page, readFileSync(join(root, page), "utf8")]));

/** Pages and pictures of GitHub, not files. */
const elsewhere = /^https?:|^\.\.\/\.\.\/(?:security\/advisories\/new|actions\/workflows\/ci\.yml(?:\/badge\.svg)?)$/;

const withoutBlocks = (text: string): string => text.replaceAll(/^( *)(```+)[\s\S]*?^\1\2$/gm, "");

function linksOf(text: string): string[] {
  const prose = withoutBlocks(text).replaceAll(/`[^`\n]*`(?!\])/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target).filter((one) => !elsewhere.test(one));
}

/** The anchors GitHub makes of the headings; the second of a name ends in -1. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-");
    const names = [slug, ...Array.from({ length: anchors.size }, (_, index) => `${slug}-${index + 1}`)];
    anchors.add(names.find((name) => !anchors.has(name)) ?? slug);
  }
  return anchors;
}

function isDead(page: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : posix.join(dirname(page), decodeURI(path));
  if (!existsSync(join(root, file))) return true;
  return anchor !== undefined && !anchorsOf(texts.get(file) ?? "").has(anchor);
}

describe("the links of the documentation", () => {
  it("lead to files and headings that exist", () => {
    const links = pages.flatMap((page) => linksOf(texts.get(page) ?? "").map((target) => ({ page, target })));
    expect(links.length).toBeGreaterThan(500);
    expect(links.filter(({ target }) => target.includes("#")).length).toBeGreaterThan(300);
    expect(links.filter(({ page, target }) => isDead(page, target))).toEqual([]);
  });

  it.each(["no-page.md", "sandbox.md#no-heading", "#no-heading", "screens/no.svg", "screens/house.svg#box"])(
    "would be dead in a guide as %s",
    (target) => {
      expect(isDead("docs/ci.md", target)).toBe(true);
    },
  );

  it("are found behind code, and in headings and tables, but not in code", () => {
    const text = "# [a](a.md)\n\n| [`b`](b.md) |\n\n```md\n[no](no.md)\n```\n\n`[no](no.md)` and ![c](c.svg)\n";
    expect(linksOf(text)).toEqual(["a.md", "b.md", "c.svg"]);
  });
});

/** Pages that a source file names, as `docs/internals/page.md` or with a heading behind a comma, and what is missing of them. */
function missingIn(source: string): string[] {
  const prose = source.replaceAll(/\n\s*(?:\*|\/\/) ?(?!\/)/g, " ");
  return [...prose.matchAll(/(docs\/internals\/[\w./-]+\.md)(?:, ([^.;:)*\n]+))?/g)]
    .filter(([, page = "", heading]) => !headingsOf(page).has(heading?.trim() ?? ""))
    .map(([mention]) => mention);
}

/** The headings of a page and "", for the page itself. Empty if there is no such page. */
function headingsOf(page: string): ReadonlySet<string> {
  const text = texts.get(page);
  if (text === undefined) return new Set();
  return new Set(["", ...[...withoutBlocks(text).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => heading)]);
}

describe("pages of docs/internals that comments cite", () => {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const sources = files.map((name) => ({ name, source: readFileSync(join(root, "src", name), "utf8") }));

  it("exist, with the heading that is named", () => {
    expect(sources.filter(({ source }) => source.includes("docs/internals/")).length).toBeGreaterThan(20);
    expect(sources.flatMap(({ name, source }) => missingIn(source).map((mention) => `${name}: ${mention}`))).toEqual(
      [],
    );
  });

  it("are missed without the page, or without the heading, also where a line ends", () => {
    const server = "docs/internals/platform/server.md";
    expect(missingIn(`/** A (${server}, Tokens). B ${server}. C ${server} */`)).toEqual([]);
    expect(missingIn(`/**\n * A (${server}, Lifetimes of\n * tokens).\n */`)).toEqual([]);
    expect(missingIn("// See docs/internals/none.md.")).toEqual(["docs/internals/none.md"]);
    expect(missingIn(`// (${server}, No heading)`)).toEqual([`${server}, No heading`]);
  });
});

it("every page of docs is listed by the README.md above it, of which the site makes its sidebar", () => {
  const indexes = pages.filter((page) => /^docs\/.*README\.md$/.test(page));
  const listed = new Set(
    indexes.flatMap((index) =>
      linksOf(texts.get(index) ?? "").map((to) => `${index} ${posix.join(dirname(index), to)}`),
    ),
  );
  const indexAbove = (page: string) =>
    indexes
      .filter((index) => index !== page && page.startsWith(`${dirname(index)}/`))
      .sort((a, b) => b.length - a.length)[0];
  const inDocs = pages.filter((page) => page.startsWith("docs/") && page !== "docs/README.md");
  expect(inDocs.filter((page) => !listed.has(`${indexAbove(page)} ${page}`))).toEqual([]);
  expect(indexes.length).toBeGreaterThan(3);
});
