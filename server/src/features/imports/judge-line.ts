import { type DashboardFieldError, type ImportField, ShipmentRequest } from '@navette/contract';
import { Refusal } from '../../http/refusal.ts';
import { compileBodyValidator, toDashboardFieldErrors } from '../../http/validation.ts';
import type { AccountSettings } from '../accounts/index.ts';
import { checkFieldsTogether, type PreparationContext, prepareShipment } from '../shipments/index.ts';
import { type LineValues, toRequest } from './read-line.ts';

export interface LineError {
  field: string | null;
  rule: string;
  message: string;
  value: string | null;
}

export type Judgement =
  | { kind: 'good'; request: ShipmentRequest; priceCents: number }
  | { kind: 'bad'; errors: LineError[] };

const validate = compileBodyValidator<ShipmentRequest>(ShipmentRequest);
const PREVIEWED = { source: 'import', idempotencyKey: null } as const;

/** Pure: a line by the very rules of a creation, slot and price included; only money is left for its turn. */
export function judgeLine(values: LineValues, account: AccountSettings, context: PreparationContext): Judgement {
  const request = toRequest(values);
  if (!validate(request)) {
    return { kind: 'bad', errors: toLineErrors(toDashboardFieldErrors(validate.errors ?? [], 'body'), values) };
  }
  const broken = checkFieldsTogether(request);
  const prepared = broken ?? prepareShipment(request, PREVIEWED, account, context);
  if (prepared instanceof Refusal) return { kind: 'bad', errors: explainRefusal(prepared, values) };
  return { kind: 'good', request, priceCents: prepared.priceCents };
}

/** A refusal in the words of a line: the fields that it names, or the field that its slug is about. */
export function explainRefusal({ envelope, dashboardSlug, message }: Refusal, values: LineValues): LineError[] {
  const { errors, error } = envelope as { errors?: DashboardFieldError[]; error?: string };
  if (errors) return toLineErrors(errors, values);
  const rule = error ?? dashboardSlug ?? 'refused';
  const field = FIELD_OF_SLUG[rule] ?? null;
  return [{ field, rule, message, value: field ? (values[field] ?? null) : null }];
}

const FIELD_OF_SLUG: Record<string, ImportField> = {
  DATE_WITHOUT_SLOT: 'timeSlot',
  SLOT_WITHOUT_DATE: 'scheduledDate',
  UNKNOWN_SLOT: 'timeSlot',
  SLOT_PASSED: 'timeSlot',
};

function toLineErrors(errors: readonly DashboardFieldError[], values: LineValues): LineError[] {
  return errors.map(({ path, msg, rule }) => {
    const isKind = path === 'isCollection';
    const field = isKind ? 'kind' : path;
    const message = isKind ? 'Doit être « livraison » ou « collecte ».' : msg;
    return {
      field,
      rule: isKind ? 'enum' : (rule ?? 'required'),
      message,
      value: values[field as ImportField] ?? null,
    };
  });
}
