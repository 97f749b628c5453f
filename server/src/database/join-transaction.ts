import type { Database, Tx } from './database.ts';

/**
 * A handle for use cases that open a transaction of their own: they join this one instead. A caller can thus check a
 * permission before and append to a log after the use case, in one commit. An error rolls everything back.
 */
export function joinTransaction(tx: Tx): Database {
  const joined = { execute: <T>(work: (tx: Tx) => Promise<T>): Promise<T> => work(tx) };
  return replaceTransaction(tx, joined);
}

/**
 * A handle whose first transaction ends with `last`, in the same commit. For use cases that work before they open their
 * transaction: nothing is locked meanwhile.
 */
export const endTransactionWith = (db: Database, last: (tx: Tx, result: unknown) => Promise<void>): Database =>
  surroundTransaction(db, async (tx, work) => {
    const result = await work();
    await last(tx, result);
    return result;
  });

/** A handle whose first transaction runs inside `around`, in the same commit. */
export function surroundTransaction(
  db: Database,
  around: (tx: Tx, work: () => Promise<unknown>) => Promise<unknown>,
): Database {
  let isFirst = true;
  const surrounded = {
    execute: <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      db.transaction().execute(async (tx) => {
        if (!isFirst) return work(tx);
        isFirst = false;
        return (await around(tx, () => work(tx))) as T;
      }),
  };
  return replaceTransaction(db, surrounded);
}

type Joined = { execute: <T>(work: (tx: Tx) => Promise<T>) => Promise<T> };

function replaceTransaction(db: Database, joined: Joined): Database {
  return new Proxy<Database>(db, {
    get(target, name) {
      if (name === 'transaction') return () => joined;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
