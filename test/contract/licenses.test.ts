import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./imports.ts";

type Metas = Readonly<Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>>;

const dist = join(root, "dist");
const notices = readFileSync(join(dist, "THIRD-PARTY-LICENSES.txt"), "utf8");
const metas = JSON.parse(readFileSync(join(dist, "meta", "modules.json"), "utf8")) as Metas;
const bundled = new Set(
  Object.values(metas).flatMap(({ inputs }) =>
    Object.keys(inputs).flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []),
  ),
);

describe("the third-party notices", () => {
  it("name every bundled package with its version and license", () => {
    const named = new Set(Array.from(notices.matchAll(/^(\S+) \d+\.\d+\.\d\S* \(.+\)$/gm), ([, name]) => name));
    expect(named).toEqual(new Set([...bundled, "dayjs", "lucide-static", "world-atlas"]));
    for (const name of ["commander", "dayjs", "re2js", "yoga-layout"]) expect(named).toContain(name);
  });

  it.each([
    ["yoga-layout", "Copyright (c) Facebook, Inc. and its affiliates."],
    ["emscripten (MIT)", "Copyright (c) 2010-2014 Emscripten authors, see AUTHORS file."],
    ["musl (MIT)", "Copyright © 2005-2020 Rich Felker, et al."],
    ["snappyjs (MIT)", "Copyright (c) 2016 Zhipeng Jia"],
    ["RE2, the version in Go (BSD-3-Clause)", "Copyright (c) 2009 The Go Authors. All rights reserved."],
  ])("name %s, which is inside a package", (name, copyright) => {
    expect(notices).toContain(name);
    expect(notices).toContain(copyright);
  });
});
