import { CELL_PARAMETER } from '@navette/contract/cells';
import type { Database } from '../database/database.ts';

/**
 * The address of a link to a shipment whose account was moved away from this cell, for the router: with the cell as a
 * parameter. Null when it was not moved, or when the link has come back to this cell with the parameter.
 */
export async function findMovedLink(db: Database, referenceNumber: string, url: string): Promise<string | null> {
  const address = new URL(url, 'http://any');
  if (address.searchParams.has(CELL_PARAMETER)) return null;
  const row = await db
    .selectFrom('moved_references')
    .select('cell')
    .where('reference_number', '=', referenceNumber)
    .executeTakeFirst();
  if (!row) return null;
  address.searchParams.set(CELL_PARAMETER, row.cell);
  return `${address.pathname}${address.search}`;
}
