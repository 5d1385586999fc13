import { type Block, lines, type Topic, terms, title } from "./blocks.ts";
import { errorCodes } from "./error-codes.ts";

export const errors: Topic = {
  name: "errors",
  summary: "what a failure looks like, and its codes",
  blocks: () => [
    "A failure has up to three parts, on stderr: what happened, why, and what to do next.",
    lines('error: There is no environment "prd".', "  why: There are default, prod.", '  next: Did you mean "prod"?'),
    "With -o json or -o ndjson it is one JSON line on stderr:",
    lines('{"error":{"code":"env.unknown","message":"…","why":"…","next":"…","exit":2}}'),
    "There are also http (method, path, status) when the platform was asked, and row for a row of a file. --debug adds the requests, without secrets, and a stack trace.",
    'Codes are stable words; the exit code stands behind each ("iot help exit-codes").',
    ...errorCodes.flatMap(([area, codes]): readonly Block[] => [
      title(area),
      terms(codes.map(({ code, exit, meaning }) => [code, `${meaning} (${exit})`])),
    ]),
  ],
};
