import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { ACTIVE_RUN_LITERALS } from '../drivers/index.ts';
import type { Arrivals } from './arrivals.ts';

const DRIVERS = 200; // in one statement
const KEPT = 5; // forecasts of a shipment: twenty minutes

/** Notes the current estimates, so that the night can compare them with the deliveries. Test accounts are left out. */
export async function noteForecasts(db: Database, arrivals: Arrivals, now: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select distinct s.driver_id as id from shipments s join drivers d on d.id = s.driver_id and d.test_account_id is null
    where s.status in (${sql.join(ACTIVE_RUN_LITERALS)}) and s.returned_at is null`.execute(db);
  for (let i = 0; i < rows.length; i += DRIVERS) {
    const found = await arrivals.ofDrivers(
      rows.slice(i, i + DRIVERS).map(({ id }) => id),
      now,
    );
    const forecasts = [...found].map(([id, { from, until, expected, spread }]) => ({
      id,
      forecast: { at: now, from, until, expected, spread },
    }));
    await sql`
      insert into arrival_forecasts as known (account_id, shipment_id, noted_at, forecasts)
      select s.account_id, s.id, ${now}, jsonb_build_array(new.forecast)
      from json_to_recordset(${JSON.stringify(forecasts)}) as new (id uuid, forecast jsonb)
      join shipments s on s.id = new.id and s.status in (${sql.join(ACTIVE_RUN_LITERALS)})
      on conflict (account_id, shipment_id) do update set noted_at = excluded.noted_at,
        forecasts = jsonb_path_query_array(excluded.forecasts || known.forecasts, ${`$[0 to ${KEPT - 1}]`}::jsonpath)`.execute(
      db,
    );
  }
}
