import type pg from 'pg';

/** The statements of the one transaction that some work runs over this pool, from `begin` to `commit`. */
export async function transactionOf(pool: pg.Pool, work: () => Promise<unknown>): Promise<string[]> {
  const sent = new Map<pg.PoolClient, string[]>();
  const watch = (client: pg.PoolClient) => {
    if (sent.has(client)) return;
    const statements: string[] = [];
    sent.set(client, statements);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const recording = (...args: unknown[]) => {
      statements.push(textOf(args[0]));
      return query(...args);
    };
    Object.assign(client, { query: recording });
  };
  pool.on('acquire', watch);
  try {
    await work();
  } finally {
    pool.off('acquire', watch);
    for (const client of sent.keys()) Reflect.deleteProperty(client, 'query');
  }
  const transactions = [...sent.values()].filter((statements) => statements.includes('begin'));
  const [only] = transactions;
  if (!only || transactions.length > 1) throw new Error(`${transactions.length} transactions instead of one`);
  return only.slice(only.indexOf('begin'), only.indexOf('commit') + 1);
}

const textOf = (statement: unknown) =>
  typeof statement === 'string' ? statement : (statement as { text: string }).text;
