/** Keeps files by name. Whole files only: they are small, and who reads one checks all of it. */
export interface FileStore {
  /** Null when there is none. */
  read(name: string): Promise<Buffer | null>;
  write(name: string, bytes: Buffer): Promise<void>;
}
