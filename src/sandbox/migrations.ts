import { accountMigrations } from "./accounts/migrations.ts";
import { runMigrations } from "./analyses/migrations.ts";
import { dataMigrations } from "./data/migrations.ts";
import { entityMigrations } from "./entities/migrations.ts";
import { fileMigrations } from "./files/migrations.ts";
import { coreMigrations } from "./store/migrations.ts";
import type { Migration } from "./store/types.ts";
import { tipMigrations } from "./tip/migrations.ts";

const shortDemoTokens = (column: string): string =>
  ["-5eed0000-0000-4000-8000-", "-5eed0003-0000-4000-8000-"].reduce(
    (text, start) => `replace(${text}, '${start}00', '${start}')`,
    column,
  );

/** The tables of all parts, in the order of their migrations. */
export const migrations: readonly Migration[] = [
  ...coreMigrations,
  ...fileMigrations,
  ...entityMigrations,
  ...runMigrations,
  ...accountMigrations,
  {
    // The demo tokens with a prefix lost two digits when tokens got their 36 characters.
    version: "0002-token-length",
    sql: `
      UPDATE token SET key = substr(key, 1, 24) || substr(key, 27)
      WHERE kind IN ('profile', 'analysis', 'run_user', 'network') AND key GLOB '5eed000[03]-0000-4000-8000-00*';
      UPDATE token SET last_authorization = ${shortDemoTokens("last_authorization")};
      UPDATE setting SET value = ${shortDemoTokens("value")} WHERE key = 'demo_secrets';
      UPDATE profile_setting SET doc = ${shortDemoTokens("doc")} WHERE name = 'run';
    `,
  },
  ...dataMigrations,
  ...tipMigrations,
];
