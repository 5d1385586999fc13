import type { SandboxDatabase } from "../store/types.ts";

interface Script {
  readonly version: number;
  readonly fileName: string;
  /** A runtime, or `node` or `python` as older programs say. */
  readonly language: string;
  readonly content: Uint8Array;
}

interface ScriptRow {
  readonly version: number;
  readonly file_name: string;
  readonly language: string;
  readonly content: Uint8Array;
}

/** The uploaded scripts of all analyses, every version. */
export interface ScriptStore {
  /** The newest version, or the one named. */
  get(analysisId: string, version?: number): Script | undefined;
  /** Stores the next version; answers its number. */
  add(analysisId: string, script: Omit<Script, "version">): number;
  remove(analysisId: string): void;
}

export function createScripts(db: SandboxDatabase): ScriptStore {
  const latest = (analysisId: string): number =>
    db.get<{ n: number | null }>("SELECT max(version) AS n FROM analysis_script WHERE analysis = ?", analysisId)?.n ??
    0;

  return {
    get: (analysisId, version) => {
      const row = db.get<ScriptRow>(
        "SELECT version, file_name, language, content FROM analysis_script WHERE analysis = ? AND version = ?",
        analysisId,
        version ?? latest(analysisId),
      );
      return row && { version: row.version, fileName: row.file_name, language: row.language, content: row.content };
    },
    add: (analysisId, { fileName, language, content }) => {
      const version = latest(analysisId) + 1;
      db.run(
        "INSERT INTO analysis_script (analysis, version, file_name, language, content) VALUES (?, ?, ?, ?, ?)",
        analysisId,
        version,
        fileName,
        language,
        content,
      );
      return version;
    },
    remove: (analysisId) => {
      db.run("DELETE FROM analysis_script WHERE analysis = ?", analysisId);
    },
  };
}
