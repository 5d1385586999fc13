import { relocation } from "./relocation.ts";

export const copyFiles = relocation({
  verb: "copy",
  done: "Copied",
  route: "/files/copy",
  summary: "Copy a file or folder within the profile",
  examples: [
    "iot file copy reports/2024/january.csv archive/january.csv",
    "iot file copy logos/ backup/logos/ --dry-run",
  ],
});
