import { accessibility } from "./topics/accessibility.ts";
import { aliases } from "./topics/aliases.ts";
import { auth } from "./topics/auth.ts";
import type { Topic } from "./topics/blocks.ts";
import { dataCosts } from "./topics/data-costs.ts";
import { environment } from "./topics/environment.ts";
import { errors } from "./topics/errors.ts";
import { exitCodes } from "./topics/exit-codes.ts";
import { filters } from "./topics/filters.ts";
import { output } from "./topics/output.ts";
import { resume } from "./topics/resume.ts";
import { sandbox } from "./topics/sandbox.ts";
import { scripting } from "./topics/scripting.ts";

/** Texts of `iot help <topic>`, by name. Their names and summaries stand in `top-help.ts` too, which loads none of them. */
export const topics: ReadonlyMap<string, Topic> = new Map(
  [
    output,
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
