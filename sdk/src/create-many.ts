import { NavetteError } from './errors.ts';
import type { Answers, Shipment, ShipmentDocument, ShipmentRequest } from './generated/api-types.ts';
import { isOutcomeUnknown } from './retry-rules.ts';
import { type CallOptions, sleep } from './transport.ts';

export interface CreateManyOptions extends CallOptions {
  /**
   * Identifies this set of shipments, 1 to 64 characters. Store it before the call and use it again to repeat the call.
   * It becomes the `groupReference` of entries that have none.
   */
  batchId: string;
  /**
   * After a lost response, how long to look for its shipments before the entries are sent again. 15 s by default. The
   * service would have to take longer than that for one batch to create an entry twice.
   */
  settleMs?: number;
}

export interface CreateManyResult {
  created: { index: number; shipment: Shipment /** It existed before this request. */; replayed: boolean }[];
  /** Refused entries. Correct them and call again with the same `batchId` and the same entries in the same order. */
  failed: { index: number /** The contract's slug, or null. */; slug: string | null; message: string }[];
}

type BatchAnswer = Answers['createBatch'];

export interface BatchApi {
  send(entries: ShipmentRequest[]): Promise<BatchAnswer>;
  listGroup(groupReference: string): AsyncIterable<ShipmentDocument>;
}

interface Entry {
  index: number;
  request: ShipmentRequest;
  /** Stored in the shipment's metadata, by which the entry's shipment is found again. */
  key: string;
}

const CHUNK = 100; // entries per request; the service allows 500
const POLL_MS = 1_000;
const MOST_LOSSES = 5; // lost responses in one call
const METADATA_FIELD = 'batchEntry';

/**
 * A batch has no idempotency key: sent twice, it creates its shipments twice. So every entry is marked in its metadata,
 * and existing shipments of the batch are looked up by group before anything is sent, and again after a lost response.
 * The service creates a batch in one transaction: when one of its shipments exists, all of them do.
 */
export async function createMany(
  api: BatchApi,
  requests: readonly ShipmentRequest[],
  { batchId, settleMs = 15_000, signal }: CreateManyOptions,
): Promise<CreateManyResult> {
  if (!batchId || batchId.length > 64) throw new TypeError('createMany: `batchId` needs 1 to 64 characters');
  const result: CreateManyResult = { created: [], failed: [] };
  const entries = markEntries(requests, batchId);
  let losses = 0;
  const take = async (among: Entry[]): Promise<Entry[]> => {
    const existing = await findExisting(api, among);
    const isFound = ({ key }: Entry) => existing.has(key);
    for (const entry of among.filter(isFound)) {
      result.created.push({ index: entry.index, shipment: existing.get(entry.key) as Shipment, replayed: true });
    }
    return among.filter((entry) => !isFound(entry));
  };

  let missing = await take(entries);
  while (missing.length > 0) {
    const chunk = missing.slice(0, CHUNK);
    const rest = missing.slice(CHUNK);
    try {
      const answer = await api.send(chunk.map(({ request }) => request));
      addAnswer(result, chunk, answer);
      missing = rest;
    } catch (error) {
      if (!(error instanceof NavetteError) || !isOutcomeUnknown(error)) throw error;
      missing = [...(await takeOnceSettled(chunk, error)), ...rest];
    }
  }
  const byIndex = (a: { index: number }, b: { index: number }) => a.index - b.index;
  return { created: result.created.sort(byIndex), failed: result.failed.sort(byIndex) };

  /** Returns the entries to send again. */
  async function takeOnceSettled(chunk: Entry[], lost: NavetteError): Promise<Entry[]> {
    if (++losses > MOST_LOSSES) throw lost;
    const startedAt = performance.now();
    for (;;) {
      const left = await take(chunk);
      if (left.length < chunk.length || performance.now() - startedAt >= settleMs) return left;
      await sleep(Math.min(POLL_MS, settleMs), signal);
    }
  }
}

function addAnswer(result: CreateManyResult, chunk: Entry[], { shippings, errors }: BatchAnswer): void {
  const indexOf = (position: number) => chunk[position]?.index ?? position;
  for (const { index, shipping } of shippings) {
    result.created.push({ index: indexOf(index), shipment: shipping, replayed: false });
  }
  for (const { index, error, code } of errors) {
    result.failed.push({ index: indexOf(index), slug: code, message: error });
  }
}

/** An entry is the nth one of its order, or the nth one without an order: the same in every repetition. */
function markEntries(requests: readonly ShipmentRequest[], batchId: string): Entry[] {
  const counts = new Map<string, number>();
  return requests.map((request, index) => {
    const { orderId = '', shopDomain = '' } = request.externalReference ?? {};
    const order = JSON.stringify([shopDomain, orderId]);
    const nth = (counts.get(order) ?? 0) + 1;
    counts.set(order, nth);
    const key = JSON.stringify([batchId, shopDomain, orderId, nth]);
    const metadata = { ...request.metadata, [METADATA_FIELD]: key };
    return { index, key, request: { ...request, metadata, groupReference: request.groupReference ?? batchId } };
  });
}

async function findExisting(api: BatchApi, entries: Entry[]): Promise<Map<string, Shipment>> {
  const found = new Map<string, Shipment>();
  for (const group of new Set(entries.map(({ request }) => request.groupReference as string))) {
    for await (const document of api.listGroup(group)) {
      const key = document.metadata[METADATA_FIELD];
      if (typeof key === 'string') found.set(key, document);
    }
  }
  return found;
}
