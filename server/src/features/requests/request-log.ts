/** An entry of an account's log. Ids are those of a Redis stream: `<milliseconds>-<number>`, ascending. */
export interface LogEntry {
  id: string;
  text: string;
}

export interface FailedRequest {
  requestId: string;
  accountId: string;
}

/** The latest requests of each account, by count and by age. It may be lost. */
export interface RequestLog {
  append(accountId: string, entries: string[]): Promise<void>;
  /** Newest first: entries before this id, and not older than `oldest`. */
  readNewest(accountId: string, page: { before: string | null; oldest: Date; most: number }): Promise<LogEntry[]>;
  /** Oldest first. */
  readSince(accountId: string, since: Date): Promise<string[]>;
  /** Notes which account a refused request belongs to, so that support can find it by its id alone. */
  noteFailed(failed: FailedRequest[]): Promise<void>;
  /** The account of a refused request; null when the log has forgotten it. */
  findAnyAccount(requestId: string): Promise<string | null>;
}
