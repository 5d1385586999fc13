import { readFileSync } from "node:fs";
import { posix } from "node:path";

/** The items of a page that lists others: a group for each heading, an item for the first link of each line. */
function groupsOf(page) {
  const groups = [];
  for (const line of readFileSync(new URL(`../pages/${page}`, import.meta.url), "utf8").split("\n")) {
    const [, heading] = /^#{1,2} (.+)/.exec(line) ?? [];
    const [, text, file] = /\[(.+?)\]\(([\w./-]+)\.md\)/.exec(line) ?? [];
    if (heading !== undefined) groups.push({ text: heading, items: [] });
    else if (file !== undefined)
      groups.at(-1)?.items.push({ text: text.replaceAll(/[`~]/g, ""), link: link(page, file) });
  }
  return groups.filter(({ items }) => items.length > 0);
}

const link = (page, file) => `/${posix.join(posix.dirname(page), file)}`.replace(/\/(README|index)$/, "/");

/** Classes and functions of an entry of the library. Its types, which are many, are on its page. */
function entry(name) {
  const page = `api/${name}/index.md`;
  const groups = groupsOf(page).filter(({ text }) => text === "Classes" || text === "Functions");
  return [{ text: name, items: [{ text: "All exports", link: link(page, "index") }] }, ...groups];
}

const project = [
  {
    text: "Project",
    items: [
      { text: "Contributing", link: "/CONTRIBUTING" },
      { text: "Changelog", link: "/CHANGELOG" },
    ],
  },
  ...groupsOf("docs/decisions/index.md"),
  ...groupsOf("docs/internals/index.md"),
  ...groupsOf("docs/internals/platform/index.md"),
];

// On GitHub Pages a site is below the name of its repository, and the pages of an earlier release below its version.
const siteBase = process.env.SITE_BASE ?? "";
const shown = process.env.SITE_VERSION ?? "";
/** The releases, newest first: that one is at the root. */
const versions = JSON.parse(readFileSync(new URL("../versions.json", import.meta.url), "utf8")).map(
  (version, index) => ({
    version,
    address: index === 0 ? `${siteBase}/` : `${siteBase}/${version}/`,
    isShown: shown === "" ? index === 0 : version === shown,
  }),
);

export default {
  title: "iotdeck",
  description: "Client library, command line and local sandbox for the TagoIO IoT platform",
  lang: "en",
  srcDir: "pages",
  base: shown === "" ? `${siteBase}/` : `${siteBase}/${shown}/`,
  outDir: "dist",
  cacheDir: "node_modules/.vitepress",
  head: [["link", { rel: "icon", href: "data:," }]],
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    // Addresses in examples are not links.
    linkify: false,
    config(md) {
      const normalize = md.normalizeLink;
      md.normalizeLink = (url) => normalize(url.replace(/\bREADME\.md/, "index.md"));
      // Vue would evaluate what stands in double braces.
      const { text } = md.renderer.rules;
      md.renderer.rules.text = (...args) => text(...args).replaceAll("{{", "&#123;&#123;");
    },
  },
  themeConfig: {
    versions,
    search: {
      provider: "local",
      options: {
        // Types are found by the classes that use them: with them the index would be twice as large.
        _render: (text, env, md) =>
          /\/(interfaces|type-aliases)\//.test(env.relativePath) ? "" : md.render(text, env),
      },
    },
    nav: [
      { text: "Guides", link: "/docs/", activeMatch: "^/docs/[^/]*$" },
      { text: "Commands", link: "/docs/commands/", activeMatch: "^/docs/commands/" },
      { text: "API", link: "/api/", activeMatch: "^/api/" },
      { text: "Project", link: "/CONTRIBUTING", activeMatch: "^/(C|docs/(decisions|internals)/)" },
    ],
    outline: [2, 3],
    sidebar: {
      "/docs/": groupsOf("docs/index.md"),
      "/docs/commands/": groupsOf("docs/commands/index.md"),
      "/docs/decisions/": project,
      "/docs/internals/": project,
      "/CHANGELOG": project,
      "/CONTRIBUTING": project,
      "/api/": ["iotdeck", "iotdeck/draw", "iotdeck/sandbox", "iotdeck/tip"].flatMap(entry),
    },
  },
};
