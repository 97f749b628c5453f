import { type ImportColumn, type ImportField, ShipmentRequest, type WebFieldError } from '@navette/contract';
import type { LineError } from '../../database/json-columns.ts';
import { Refusal } from '../../refusals/refusal.ts';
import { compileBodyValidator } from '../../validation/compile-validator.ts';
import { toWebFieldErrors } from '../../validation/field-errors.ts';
import type { AccountSettings } from '../accounts/index.ts';
import { checkFieldsTogether, type PreparationContext, prepareShipment } from '../shipments/index.ts';
import { type LineValues, toRequest, valuesOf } from './read-line.ts';

export type LineCheck =
  | { kind: 'good'; request: ShipmentRequest; priceCents: number }
  | { kind: 'bad'; errors: LineError[] };

const validate = compileBodyValidator<ShipmentRequest>(ShipmentRequest);
const PROVENANCE = { source: 'import', idempotencyKey: null } as const;

/** Pure. Applies the rules of a creation to a line, slot and price included; funds are checked when it is created. */
export function checkLine(
  cells: readonly string[],
  columns: readonly ImportColumn[],
  account: AccountSettings,
  context: PreparationContext,
): LineCheck {
  const values = valuesOf(cells, columns);
  const request = toRequest(values);
  if (!validate(request)) {
    return { kind: 'bad', errors: toLineErrors(toWebFieldErrors(validate.errors ?? [], 'body'), values) };
  }
  const invalid = checkFieldsTogether(request);
  const prepared = invalid ?? prepareShipment(request, PROVENANCE, account, context);
  if (prepared instanceof Refusal) return { kind: 'bad', errors: explainRefusal(prepared, values) };
  return { kind: 'good', request, priceCents: prepared.priceCents };
}

/** The errors of a line from a refusal: the fields that it names, or the field that its slug refers to. */
export function explainRefusal({ envelope, dashboardSlug, message }: Refusal, values: LineValues): LineError[] {
  const { errors, error } = envelope as { errors?: WebFieldError[]; error?: string };
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

function toLineErrors(errors: readonly WebFieldError[], values: LineValues): LineError[] {
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
