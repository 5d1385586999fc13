// Leaves the comments of our sources out of a bundle that stays readable: what they say of the public names is in the declarations.
import { readFile } from "node:fs/promises";
import { transform } from "esbuild";

export const withoutComments = {
  name: "without-comments",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].+\.ts$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf8"), { loader: "ts", minifyWhitespace: true });
      return { contents: code, loader: "js" };
    });
  },
};
