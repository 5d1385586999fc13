import { accessibility } from "./accessibility.ts";
import { aliases } from "./aliases.ts";
import { auth } from "./auth.ts";
import type { Topic } from "./blocks.ts";
import { dataCosts } from "./data-costs.ts";
import { environment } from "./environment.ts";
import { errors } from "./errors.ts";
import { exitCodes } from "./exit-codes.ts";
import { filters } from "./filters.ts";
import { flags } from "./flags.ts";
import { output } from "./output.ts";
import { resume } from "./resume.ts";
import { sandbox } from "./sandbox.ts";
import { scripting } from "./scripting.ts";

/**
 * Texts of `iot help <topic>`, by name. Their names and summaries are in `top-help.ts` too, which loads none of them.
 */
export const topics: ReadonlyMap<string, Topic> = new Map(
  [
    output,
    flags,
    filters,
    auth,
    errors,
    exitCodes,
    environment,
    scripting,
    accessibility,
    dataCosts,
    resume,
    aliases,
    sandbox,
  ].map((topic) => [topic.name, topic]),
);
