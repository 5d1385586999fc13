import type { Resources } from "../../index.ts";
import type { ResourceApi } from "../kit/resource/resource.ts";
import { simpleFinder } from "../kit/resource/simple-finder.ts";

/** The calls for users of the portal, which have names of their own. */
export const runUserApi = ({ run }: Resources): ResourceApi<{ readonly id: string }> => ({
  list: run.listUsers.bind(run),
  info: run.userInfo.bind(run),
  create: run.userCreate.bind(run),
  edit: run.userEdit.bind(run),
  delete: run.userDelete.bind(run),
});

/** How users of the portal are found. */
export const runUserFinder = simpleFinder({ noun: "run user", forms: ["name", "tag"], api: runUserApi });
