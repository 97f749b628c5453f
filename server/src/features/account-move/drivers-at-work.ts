import type pg from 'pg';

/** Shipments that concern a driver of the source now. Robots of a test twin move with it. */
export interface AtWork {
  what: string;
  many: number;
  references: string[];
}

const SHOWN = 5;

export async function findAtWork(from: pg.Client, accountId: string): Promise<AtWork[]> {
  const { rows } = await from.query<AtWork>(
    `select what, count(*)::int as many, (array_agg(distinct reference_number))[1:${SHOWN}] as references from (
       select s.status as what, s.reference_number from shipments s
       where s.account_id = $1 and s.status in ('assigned', 'picked_up', 'in_transit')
       union all
       select 'offered to a driver', s.reference_number from driver_offers o
       join shipments s on (s.account_id, s.id) = (o.account_id, o.shipment_id)
       where o.account_id = $1 and o.answer is null
       union all
       select 'with an open incident', s.reference_number from incidents i
       join shipments s on (s.account_id, s.id) = (i.account_id, i.shipment_id)
       where i.account_id = $1 and i.resolved_at is null
       union all
       select 'waiting for an approval', subject_title from approvals where account_id = $1 and state = 'waiting'
     ) at_work group by what order by what`,
    [accountId],
  );
  return rows;
}

export const describeAtWork = (found: AtWork[]): string =>
  found
    .map(({ what, many, references }) => `${what}: ${many} (${references.join(', ')}${many > SHOWN ? ', …' : ''})`)
    .join('; ');
