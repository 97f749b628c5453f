import pg from 'pg';

const MAX_PREPARED = 400; // statements per connection; each plan takes some 20 kB of PostgreSQL's memory
const MAX_VALUES = 64; // a text with more has a length of its own for each number of rows, and a large plan
const MAX_SEEN = 4_000; // texts
const FORGOTTEN_AFTER_MS = 86_400_000; // texts with the bounds of a past day
const REPLANNED_AFTER_MS = 2_000;
const RESULT_TYPE_CHANGED = '0A000';

type Callback = (error: Error | undefined, result: pg.QueryResult) => void;

/**
 * A connection that prepares each statement on its second use: PostgreSQL then parses and plans it once instead of every
 * time, which takes longer than running it. Texts of many rows, such as an insert of 37 messages, stay unprepared.
 */
export class PreparingClient extends pg.Client {
  static readonly #prepared = new Map<string, { name: string; usedAt: number }>();
  static #lastName = 0;
  static readonly #seen = new Set<string>();

  /** Statements that return other columns than when they were prepared, since a migration ran. */
  readonly #outdated = new Set<string>();

  static #nameOf(text: string): string | undefined {
    const usedAt = Date.now();
    const known = PreparingClient.#prepared.get(text);
    if (known) {
      known.usedAt = usedAt;
      return known.name;
    }
    if (PreparingClient.#seen.has(text) && PreparingClient.#hasPlace(usedAt)) {
      const name = `navette-${PreparingClient.#lastName++}`;
      PreparingClient.#prepared.set(text, { name, usedAt });
      PreparingClient.#seen.delete(text);
      return name;
    }
    if (PreparingClient.#seen.size >= MAX_SEEN) PreparingClient.#seen.clear();
    PreparingClient.#seen.add(text);
    return undefined;
  }

  /** When full, forgets texts that nobody used for a day. Their plans go with the connections. */
  static #hasPlace(now: number): boolean {
    const prepared = PreparingClient.#prepared;
    if (prepared.size < MAX_PREPARED) return true;
    for (const [text, { usedAt }] of prepared) if (now - usedAt > FORGOTTEN_AFTER_MS) prepared.delete(text);
    return prepared.size < MAX_PREPARED;
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg
  override query(text: any, values?: any, callback?: any): any {
    const name = typeof text === 'string' && isPreparable(text, values) ? PreparingClient.#nameOf(text) : undefined;
    if (!name || this.#outdated.has(name)) return super.query(text, values, callback);
    const statement = { name, text, values };
    if (callback) {
      const ended: Callback = (error, result) => {
        this.#noteError(name, error);
        callback(error, result);
      };
      return super.query(statement, ended as never);
    }
    return super.query(statement).catch((error: Error) => {
      this.#noteError(name, error);
      throw error;
    });
  }

  #noteError(name: string, error: Error | undefined): void {
    if (error instanceof pg.DatabaseError && error.code === RESULT_TYPE_CHANGED) this.#outdated.add(name);
  }
}

/** For tables that are empty at one moment and large at the next: plans are made again every two seconds, when they are used. */
export class ReplanningClient extends PreparingClient {
  #plannedAt = 0;

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg
  override query(text: any, values?: any, callback?: any): any {
    const now = Date.now();
    if (typeof text !== 'string' || now - this.#plannedAt < REPLANNED_AFTER_MS)
      return super.query(text, values, callback);
    this.#plannedAt = now;
    const discarded = super.query('discard plans');
    if (!callback) return discarded.then(() => super.query(text, values));
    discarded.then(() => super.query(text, values, callback), callback);
  }
}

/** Several statements in one text, as the job engine sends, cannot be prepared; they have no values. */
const isPreparable = (text: string, values: unknown) =>
  Array.isArray(values) && values.length <= MAX_VALUES && (values.length > 0 || !text.includes(';'));
