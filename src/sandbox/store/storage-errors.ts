/** The data directory cannot be used: another process uses it, or it contains something else. */
export class DataDirectoryError extends Error {
  override readonly name = "DataDirectoryError";
}

/** The file was written by a newer version of the sandbox, or by another program. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}
