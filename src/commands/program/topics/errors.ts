import { type Block, output, type Topic, terms, title } from "./blocks.ts";
import { errorCodes } from "./error-codes.ts";

export const errors: Topic = {
  name: "errors",
  summary: "format of errors, and error codes",
  blocks: () => [
    "An error on stderr has up to three parts: what happened, why, and what to do next.",
    output(
      'error: Environment "prd" not found.',
      "  why: The environments are default, prod.",
      '  next: Did you mean "prod"?',
    ),
    "With -o json or -o ndjson it is one JSON line on stderr:",
    output('{"error":{"code":"env.unknown","message":"…","why":"…","next":"…","exit":2}}'),
    "For errors of the platform, http contains method, path and status; for errors in a file, row is the row number and column the column. --verbose adds a line for each request, --debug all that was sent, without secrets, and a stack trace.",
    'Error codes are stable; the exit code is in parentheses ("iot help exit-codes").',
    ...errorCodes.flatMap(([area, codes]): readonly Block[] => [
      title(area),
      terms(codes.map(({ code, exit, meaning }) => [code, `${meaning} (${exit})`])),
    ]),
  ],
};
