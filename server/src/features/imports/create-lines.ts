import type { ShipmentRequest } from '@navette/contract';
import { Refusal } from '../../http/refusal.ts';
import { type Creating, checkAccount, type PreparedShipment, prepareShipment, refusalOf } from '../shipments/index.ts';

export interface GoodLine {
  line: number;
  request: ShipmentRequest;
}

export type LineOutcome =
  | { line: number; kind: 'created'; shipmentId: string }
  | { line: number; kind: 'refused'; refusal: Refusal };

const MOST_ATTEMPTS = 3; // with settings that change at that very moment

/** A line has one key for good: whoever carries the import out, and however often, it is created once. */
const keyOf = (importId: string, line: number) => `import:${importId}:${line}`;

export async function createLines(
  creating: Creating,
  accountId: string,
  importId: string,
  lines: GoodLine[],
  attempt = 1,
): Promise<LineOutcome[]> {
  const account = await creating.accounts.currentSettingsOf(accountId);
  const context = creating.context();
  const blocked = checkAccount(account, context.now);
  const prepared: { line: GoodLine; shipment: PreparedShipment }[] = [];
  const refused: { line: GoodLine; refusal: Refusal }[] = [];
  for (const line of lines) {
    const provenance = { source: 'import', idempotencyKey: keyOf(importId, line.line) } as const;
    const outcome = blocked ?? prepareShipment(line.request, provenance, account, context);
    if (outcome instanceof Refusal) refused.push({ line, refusal: outcome });
    else prepared.push({ line, shipment: outcome });
  }

  const outcomes = await creating.createMany(prepared.map(({ shipment }) => shipment));
  const outdated: GoodLine[] = [];
  const settled = outcomes.flatMap((outcome, i): LineOutcome[] => {
    const line = prepared[i]?.line;
    if (!line) return [];
    if (outcome.kind === 'outdated' && attempt < MOST_ATTEMPTS) outdated.push(line);
    else if (outcome.kind === 'created')
      return [{ line: line.line, kind: 'created', shipmentId: outcome.shipment._id }];
    else if (outcome.kind === 'replay') return [{ line: line.line, kind: 'created', shipmentId: outcome.shipmentId }];
    else return [{ line: line.line, kind: 'refused', refusal: refusalOf(outcome) }];
    return [];
  });
  const again = outdated.length > 0 ? await createLines(creating, accountId, importId, outdated, attempt + 1) : [];
  return [...settled, ...again, ...(await replayed(creating, accountId, importId, refused))];
}

/** A line may have been created by a worker that died before it could say so, and be refused by now. */
async function replayed(
  { pool }: Creating,
  accountId: string,
  importId: string,
  refused: { line: GoodLine; refusal: Refusal }[],
): Promise<LineOutcome[]> {
  if (refused.length === 0) return [];
  const { rows } = await pool.query<{ key: string; shipmentId: string }>({
    name: 'shipments-of-import-keys',
    text: 'select key, shipment_id as "shipmentId" from idempotency_keys where account_id = $1 and key = any($2)',
    values: [accountId, refused.map(({ line }) => keyOf(importId, line.line))],
  });
  const made = new Map(rows.map(({ key, shipmentId }) => [key, shipmentId]));
  return refused.map(({ line: { line }, refusal }) => {
    const shipmentId = made.get(keyOf(importId, line));
    return shipmentId ? { line, kind: 'created', shipmentId } : { line, kind: 'refused', refusal };
  });
}
