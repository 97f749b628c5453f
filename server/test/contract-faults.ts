import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';

const ajv = new Ajv({ strict: false, allErrors: true });
formats.default(ajv);
const validators = new Map<object, ValidateFunction>();

/** Compares a successful response with the contract: missing fields, additional fields, wrong types. */
export function faultsIn(endpoint: { answers: Record<number, TSchema> }, status: number, body: unknown): string[] {
  const schema = endpoint.answers[status];
  if (!schema) return [`${status} is no answer of this endpoint`];
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  );
}
