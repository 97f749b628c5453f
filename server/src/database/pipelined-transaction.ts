import type pg from 'pg';

/** Waits for every result before it fails with the first error, so that no rejection stays unhandled. */
export async function settled(answers: (Promise<unknown> | null)[]): Promise<void> {
  const outcomes = await Promise.allSettled(answers.filter((answer) => answer !== null));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Pipelined: BEGIN is sent together with the first statement. COMMIT waits for all statements. */
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
