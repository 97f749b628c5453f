import type { ShipmentRequest } from '@navette/contract';
import { Refusal } from '../../refusals/refusal.ts';
import {
  type CreationContext,
  checkAccount,
  findKeyUses,
  type PreparedShipment,
  prepareShipment,
  refusalOf,
  replayOf,
  storedKeyOf,
} from '../shipments/index.ts';

export interface GoodLine {
  line: number;
  request: ShipmentRequest;
}

export type LineOutcome =
  | { line: number; kind: 'created'; shipmentId: string }
  | { line: number; kind: 'refused'; refusal: Refusal };

const MOST_ATTEMPTS = 3; // when settings change between preparation and insert

/** The idempotency key of a line never changes, so each line is created once, however often the import runs. */
const keyOf = (importId: string, line: number) => `import:${importId}:${line}`;

export async function createLines(
  creation: CreationContext,
  accountId: string,
  importId: string,
  lines: GoodLine[],
  attempt = 1,
): Promise<LineOutcome[]> {
  const account = await creation.accounts.currentSettingsOf(accountId);
  const context = creation.preparationContext(account);
  const blocked = checkAccount(account, context.now);
  const prepared: { line: GoodLine; shipment: PreparedShipment }[] = [];
  const refused: { line: GoodLine; refusal: Refusal }[] = [];
  for (const line of lines) {
    const provenance = { source: 'import', idempotencyKey: keyOf(importId, line.line) } as const;
    const outcome = blocked ?? prepareShipment(line.request, provenance, account, context);
    if (outcome instanceof Refusal) refused.push({ line, refusal: outcome });
    else prepared.push({ line, shipment: outcome });
  }

  const outcomes = await creation.writer.insertMany(prepared.map(({ shipment }) => shipment));
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
  const again = outdated.length > 0 ? await createLines(creation, accountId, importId, outdated, attempt + 1) : [];
  return [...settled, ...again, ...(await findReplays(creation, account, importId, refused))];
}

/** A worker may have created a line and crashed before recording it; by now the line may be refused. */
async function findReplays(
  { pool }: CreationContext,
  account: { id: string; isTest: boolean },
  importId: string,
  refused: { line: GoodLine; refusal: Refusal }[],
): Promise<LineOutcome[]> {
  if (refused.length === 0) return [];
  const stored = (line: number) => storedKeyOf(account, keyOf(importId, line));
  const uses = await findKeyUses(
    pool,
    refused.map(({ line }) => stored(line.line)),
  );
  return refused.map(({ line: { line }, refusal }) => {
    const use = uses.get(stored(line));
    const replay = use && replayOf(use, account.id);
    return replay?.kind === 'replay'
      ? { line, kind: 'created', shipmentId: replay.shipmentId }
      : { line, kind: 'refused', refusal };
  });
}
