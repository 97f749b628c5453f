import { MessageOnly } from '@navette/contract';
import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { Operation } from './operations.ts';
import type { WireAnswer } from './wire.ts';

const UNREADABLE = [400, 404, 408, 413, 415]; // unreadable requests get the same response everywhere
const ajv = new Ajv({ strict: false });
formats.default(ajv);
ajv.addFormat('iso-date', true);
const isMessageOnly = ajv.compile(MessageOnly);
const validators = new Map<object, ValidateFunction>();

/** The difference between a response and the document of its API; null when there is none. */
export function faultIn(operation: Operation, { status, type, body }: WireAnswer): string | null {
  if (status >= 500) return 'a failure of the service';
  const documented = operation.responses.get(status);
  if (UNREADABLE.includes(status) && isMessageOnly(readJson(body))) return null;
  if (documented === undefined) return 'a status that the document does not name';
  if (documented === null) return null;
  const [mediaType = ''] = type.split(';');
  const schema = documented[mediaType];
  if (!schema) return `an unexpected type: ${type}`;
  if (mediaType !== 'application/json') return null;
  const validate = validators.get(schema) ?? ajv.compile(schema);
  validators.set(schema, validate);
  return validate(readJson(body)) ? null : `breaks its schema: ${ajv.errorsText(validate.errors)}`;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
