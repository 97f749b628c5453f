/** Stores files by name. Whole files only: they are small, and readers verify the whole content. */
export interface FileStore {
  /** Null when the file does not exist. */
  read(name: string): Promise<Buffer | null>;
  /** Synced: the file survives a power loss once the call returns. */
  write(name: string, bytes: Buffer, options?: { isSynced: boolean }): Promise<void>;
  /** No error when the file does not exist. */
  delete(name: string): Promise<void>;
  /** Names of the files that were written at or after `since`. */
  list(since: Date): AsyncIterable<string>;
  /** Deletes partial files older than `before`, left by processes that died while writing. */
  deleteUnfinished(before: Date): Promise<void>;
}
