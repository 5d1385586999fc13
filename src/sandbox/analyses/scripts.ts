import type { SandboxDatabase } from "../store/types.ts";

interface Script {
  readonly version: number;
  readonly fileName: string;
  /** A runtime, or `node` or `python` from older programs. */
  readonly language: string;
  readonly content: Uint8Array;
}

interface ScriptRow {
  readonly version: number;
  readonly file_name: string;
  readonly language: string;
  readonly content: Uint8Array;
}

/** The uploaded scripts of all analyses, in every version. */
export class ScriptStore {
  readonly #db: SandboxDatabase;

  constructor(db: SandboxDatabase) {
    this.#db = db;
  }

  /** The newest version, or the one specified. */
  get(analysisId: string, version?: number): Script | undefined {
    const row = this.#db.get<ScriptRow>(
      "SELECT version, file_name, language, content FROM analysis_script WHERE analysis = ? AND version = ?",
      analysisId,
      version ?? this.#latest(analysisId),
    );
    return row && { version: row.version, fileName: row.file_name, language: row.language, content: row.content };
  }

  /** Stores the next version; returns its number. */
  add(analysisId: string, { fileName, language, content }: Omit<Script, "version">): number {
    const version = this.#latest(analysisId) + 1;
    this.#db.run(
      "INSERT INTO analysis_script (analysis, version, file_name, language, content) VALUES (?, ?, ?, ?, ?)",
      analysisId,
      version,
      fileName,
      language,
      content,
    );
    return version;
  }

  remove(analysisId: string): void {
    this.#db.run("DELETE FROM analysis_script WHERE analysis = ?", analysisId);
  }

  #latest(analysisId: string): number {
    return (
      this.#db.get<{ n: number | null }>("SELECT max(version) AS n FROM analysis_script WHERE analysis = ?", analysisId)
        ?.n ?? 0
    );
  }
}
