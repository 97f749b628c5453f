import type pg from 'pg';

/** Waits for every answer before failing with the first, so that none is left unhandled on the connection. */
export async function settled(answers: (Promise<unknown> | null)[]): Promise<void> {
  const outcomes = await Promise.allSettled(answers.filter((answer) => answer !== null));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** BEGIN travels with the first statement and COMMIT waits for all: the pool's connections are pipelined. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const begun = client.query('begin');
    const [result] = await Promise.all([work(client), begun]);
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`);
    return result;
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
