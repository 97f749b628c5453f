import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/test-database.ts';
import { createDatabase, createPool } from './database.ts';

test.each([false, true])(
  'a transaction of a process that is frozen ends, and its locks with it (lookups: %s)',
  async (lookups) => {
    const database = await createTestDatabase();
    const db = createDatabase(createPool({ databaseUrl: database.url, size: 1, timeLimitMs: 500, lookups }));
    try {
      await sql`create table rows (id int)`.execute(database.db);
      await sql`insert into rows values (1)`.execute(database.db);
      const frozen = db.transaction().execute(async (tx) => {
        await sql`select from rows for update`.execute(tx);
        await sql`select from rows for update`.execute(database.db); // waits until the transaction was ended
        await sql`select`.execute(tx);
      });
      await expect(frozen).rejects.toThrow(/connection/i);
      await expect(sql`select`.execute(db)).resolves.toBeDefined(); // on a new connection
    } finally {
      await db.destroy();
      await database.drop();
    }
  },
);
