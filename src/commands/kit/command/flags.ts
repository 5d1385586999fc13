import type { TimeForm } from "../output/times.ts";

/** The flags every command takes, parsed. */
export interface GlobalFlags {
  readonly env?: string;
  readonly profile?: string;
  readonly output?: string;
  readonly fields?: readonly string[];
  readonly jq?: string;
  readonly template?: string;
  readonly header: boolean;
  readonly csvSafe: boolean;
  readonly csvBom: boolean;
  /** Show secrets in full. */
  readonly reveal: boolean;
  readonly limit?: number;
  readonly page?: number;
  readonly all: boolean;
  readonly sort?: string;
  readonly filter: readonly string[];
  readonly tag: readonly { readonly key: string; readonly value?: string }[];
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly confirm?: string;
  readonly input: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly debug: boolean;
  readonly color: "auto" | "always" | "never";
  readonly progress: boolean;
  readonly accessible: boolean;
  readonly ascii: boolean;
  readonly tz?: string;
  readonly time?: TimeForm;
  readonly timeoutMs?: number;
  readonly retries?: number;
  readonly concurrency?: number;
  readonly proxy?: string;
  readonly caFile?: string;
}
