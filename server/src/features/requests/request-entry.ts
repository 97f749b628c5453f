import { isUuid } from '../../database/uuid.ts';
import type { ObservedRequest } from '../../http/observe-requests.ts';

/** A request in the log: ids, names of the contract and figures. Contains no user input. */
export interface RequestEntry {
  at: Date;
  requestId: string;
  method: string;
  route: string;
  id: string | null;
  status: number;
  error: string | null;
  fields: string[];
  durationMs: number;
  keyId: string;
}

const MAX_FIELDS = 5;
const MAX_FIELD_LENGTH = 100;

/** An array instead of an object, to save memory: an account's log holds a thousand of these. */
type StoredEntry = [
  ...[at: number, requestId: string, method: string, route: string, id: string | null, status: number],
  ...[error: string | null, fields: string[], durationMs: number, keyId: string],
];

export function writeEntry({ key, refusal, ...request }: ObservedRequest): string {
  const stored: StoredEntry = [
    request.at.getTime(),
    request.requestId,
    request.method,
    request.route,
    request.id && isUuid(request.id) ? request.id : null,
    request.status,
    typeof refusal?.error === 'string' ? refusal.error : null,
    refusedFields(refusal),
    Math.round(request.durationMs * 10) / 10,
    key.id,
  ];
  return JSON.stringify(stored);
}

export function readEntry(text: string): RequestEntry {
  const [at, requestId, method, route, id, status, error, fields, durationMs, keyId] = JSON.parse(text) as StoredEntry;
  return { at: new Date(at), requestId, method, route, id, status, error, fields, durationMs, keyId };
}

/** The names of the fields, without their values. */
function refusedFields(refusal: ObservedRequest['refusal']): string[] {
  const errors = (refusal?.errors ?? []) as { path: string }[];
  return errors.slice(0, MAX_FIELDS).map(({ path }) => path.slice(0, MAX_FIELD_LENGTH));
}
