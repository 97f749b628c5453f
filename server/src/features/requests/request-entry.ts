import type { SeenRequest } from '../../http/watch-requests.ts';
import { isUuid } from '../../uuid.ts';

/** A request as the log keeps it: ids, names of ours and figures; nothing that a person typed. */
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

const MOST_FIELDS = 5;
const MOST_FIELD_LENGTH = 100;

/** A list without names: the log of an account is a thousand of these. */
type Written = [
  ...[at: number, requestId: string, method: string, route: string, id: string | null, status: number],
  ...[error: string | null, fields: string[], durationMs: number, keyId: string],
];

export function writeEntry({ key, refusal, ...seen }: SeenRequest): string {
  const written: Written = [
    seen.at.getTime(),
    seen.requestId,
    seen.method,
    seen.route,
    seen.id && isUuid(seen.id) ? seen.id : null,
    seen.status,
    typeof refusal?.error === 'string' ? refusal.error : null,
    refusedFields(refusal),
    Math.round(seen.durationMs * 10) / 10,
    key.id,
  ];
  return JSON.stringify(written);
}

export function readEntry(text: string): RequestEntry {
  const [at, requestId, method, route, id, status, error, fields, durationMs, keyId] = JSON.parse(text) as Written;
  return { at: new Date(at), requestId, method, route, id, status, error, fields, durationMs, keyId };
}

/** Names of the schema's fields, not what was in them. */
function refusedFields(refusal: SeenRequest['refusal']): string[] {
  const errors = (refusal?.errors ?? []) as { path: string }[];
  return errors.slice(0, MOST_FIELDS).map(({ path }) => path.slice(0, MOST_FIELD_LENGTH));
}
