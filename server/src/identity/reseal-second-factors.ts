import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { type ResealCounts, resealInBatches } from '../secrets/reseal-in-batches.ts';
import type { SealedSecret, SecretSealer } from '../secrets/secret-sealer.ts';
import { MEMBERS, type People, STAFF } from './people.ts';

const BATCH = 500; // people

interface SealedPerson extends SealedSecret {
  id: string;
}

/**
 * For the operator: encrypts the second factors of all members and staff with the newest key. A person whose code is verified at
 * the same moment may have to enter the next one.
 */
export async function resealAnySecondFactors(
  db: Database,
  sealer: SecretSealer,
  batchSize = BATCH,
): Promise<ResealCounts> {
  const members = await resealSecondFactors(db, MEMBERS, sealer, batchSize);
  const staff = await resealSecondFactors(db, STAFF, sealer, batchSize);
  return {
    reencrypted: members.reencrypted + staff.reencrypted,
    unreadable: members.unreadable + staff.unreadable,
  };
}

function resealSecondFactors(
  db: Database,
  { people }: People,
  sealer: SecretSealer,
  batchSize: number,
): Promise<ResealCounts> {
  return resealInBatches<SealedPerson>({
    async read(after) {
      const { rows } = await sql<SealedPerson>`
        select id, second_factor_key as key, sealed_second_factor as sealed from ${sql.table(people)}
        where second_factor_key <> ${sealer.newestKey} and (${after?.id ?? null}::uuid is null or id > ${after?.id ?? null})
        order by id limit ${batchSize}`.execute(db);
      return rows;
    },
    reseal: (person) => sealer.seal(person.id, sealer.open(person.id, person)),
    async write(batch) {
      const { numAffectedRows } = await sql`
        update ${sql.table(people)} m set second_factor_key = ${sealer.newestKey}, sealed_second_factor = r.resealed
        from unnest(${batch.map(({ row }) => row.id)}::uuid[], ${batch.map(({ row }) => row.sealed)}::bytea[],
                    ${batch.map(({ resealed }) => resealed.sealed)}::bytea[]) as r (id, sealed, resealed)
        where m.id = r.id and m.sealed_second_factor = r.sealed`.execute(db);
      return Number(numAffectedRows);
    },
  });
}

/** How many second factors are encrypted with each key, by the name of the key. */
export async function countAnySecondFactorKeys(db: Database): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; count: number }>`
    select key, count(*)::int as count
    from (select second_factor_key as key from members union all select second_factor_key from staff) sealed
    where key is not null group by 1`.execute(db);
  return new Map(rows.map(({ key, count }) => [key, count]));
}
