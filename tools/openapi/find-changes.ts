/**
 * Compares two OpenAPI 3.1 documents as a client of the older one sees them. npm has no library that reads 3.1 and tells
 * requests from responses: `openapi-diff` stops at 3.0, `oasdiff` is a Go program.
 *
 * A client sends what the old document allows, and reads what the new one may return. So a request may only become more
 * tolerant, and a response may only become more certain. Additions to objects of a response are no break: clients ignore fields
 * that they do not know (CHANGELOG.md).
 */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: boolean | Schema;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: Content & { required?: boolean };
  responses?: Record<string, Content>;
}

export interface Document {
  paths?: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

/** `request`: clients write it. `response`: clients read it. */
type Direction = 'request' | 'response';

interface Comparison {
  before: Document;
  after: Document;
  changes: string[];
}

/** Every change that can break a client of the older document, one line each; empty when there is none. */
export function findBreakingChanges(before: Document, after: Document): string[] {
  const comparison: Comparison = { before, after, changes: [] };
  for (const [path, methods] of Object.entries(before.paths ?? {}))
    for (const [method, old] of Object.entries(methods))
      compareOperation(comparison, `${method.toUpperCase()} ${path}`, old, after.paths?.[path]?.[method], 'request');
  for (const [event, methods] of Object.entries(before.webhooks ?? {}))
    for (const [method, old] of Object.entries(methods))
      compareOperation(comparison, `event ${event}`, old, after.webhooks?.[event]?.[method], 'response');
  return comparison.changes;
}

/** `sent`: the direction of its request body, which of an event is read by the client. */
function compareOperation(all: Comparison, name: string, old: Operation, next: Operation | undefined, sent: Direction) {
  if (!next) return all.changes.push(`${name}: removed`);
  for (const parameter of next.parameters ?? []) {
    const known = old.parameters?.find((one) => one.name === parameter.name && one.in === parameter.in);
    const place = `${name} ${parameter.in} ${parameter.name}`;
    if (sent === 'request' && parameter.required && !known?.required) all.changes.push(`${place}: now required`);
    if (known) compareSchema(all, place, known.schema, parameter.schema, sent);
  }
  for (const { name: parameter, in: place } of old.parameters ?? [])
    if (!next.parameters?.some((one) => one.name === parameter && one.in === place))
      all.changes.push(`${name} ${place} ${parameter}: removed`);
  if (sent === 'request' && next.requestBody?.required && !old.requestBody)
    all.changes.push(`${name} body: now required`);
  if (old.requestBody) compareContent(all, `${name} body`, old.requestBody, next.requestBody, sent);
  for (const [status, answer] of Object.entries(old.responses ?? {})) {
    const later = next.responses?.[status];
    // A client may wait for a success; a failure that no longer happens breaks nothing.
    if (!later && status < '400') all.changes.push(`${name} ${status}: removed`);
    if (later) compareContent(all, `${name} ${status}`, answer, later, 'response');
  }
  for (const status of Object.keys(next.responses ?? {}))
    if (status < '400' && sent === 'request' && !old.responses?.[status])
      all.changes.push(`${name} ${status}: new success status`);
  return all.changes.length;
}

function compareContent(all: Comparison, place: string, old: Content, next: Content | undefined, direction: Direction) {
  for (const [type, { schema }] of Object.entries(old.content ?? {})) {
    const later = next?.content?.[type];
    if (!later) all.changes.push(`${place}: no ${type} any more`);
    else compareSchema(all, place, schema, later.schema, direction);
  }
}

function compareSchema(
  all: Comparison,
  place: string,
  givenOld: Schema | undefined,
  givenNext: Schema | undefined,
  direction: Direction,
) {
  const [old, next] = [resolve(all.before, givenOld), resolve(all.after, givenNext)];
  const report = (change: string) => all.changes.push(`${place}: ${change}`);
  if (isAlternative(old) || isAlternative(next)) return compareAlternatives(all, place, old, next, direction);
  const [oldTypes, nextTypes] = [typesOf(old), typesOf(next)];
  const lostTypes = oldTypes.filter((type) => !accepts(nextTypes, type));
  const newTypes = nextTypes.filter((type) => !accepts(oldTypes, type));
  if (direction === 'request' && lostTypes.length > 0) report(`${lostTypes.join(', ')} is refused`);
  if (direction === 'response' && newTypes.length > 0) report(`may now be ${newTypes.join(', ')}`);
  compareValues(old, next, direction, report);
  if (direction === 'request') compareLimits(old, next, report);
  compareFields(all, place, old, next, direction);
  if (old.items && next.items) compareSchema(all, `${place}[]`, old.items, next.items, direction);
  return all.changes.length;
}

function compareFields(all: Comparison, place: string, old: Schema, next: Schema, direction: Direction): void {
  const [oldFields, nextFields] = [old.properties ?? {}, next.properties ?? {}];
  const isOpen = next.additionalProperties !== false;
  for (const [name, schema] of Object.entries(oldFields)) {
    const later = nextFields[name];
    const field = `${place}.${name}`;
    if (!later) {
      if (direction === 'response' || !isOpen) all.changes.push(`${field}: removed`);
      continue;
    }
    const [was, is] = [old.required?.includes(name) ?? false, next.required?.includes(name) ?? false];
    if (direction === 'request' && !was && is) all.changes.push(`${field}: now required`);
    if (direction === 'response' && was && !is) all.changes.push(`${field}: may now be absent`);
    compareSchema(all, field, schema, later, direction);
  }
  if (direction === 'response') return;
  for (const name of next.required ?? [])
    if (!(name in oldFields)) all.changes.push(`${place}.${name}: new and required`);
}

function compareValues(old: Schema, next: Schema, direction: Direction, report: (change: string) => void): void {
  const [oldValues, nextValues] = [valuesOf(old), valuesOf(next)];
  if (direction === 'request' && nextValues) {
    const lost = oldValues?.filter((value) => !nextValues.includes(value));
    if (!lost) report('accepts only some values now');
    else if (lost.length > 0) report(`no longer accepts ${lost.join(', ')}`);
  }
  if (direction === 'response' && oldValues) {
    const added = nextValues?.filter((value) => !oldValues.includes(value));
    if (!added) report('may now have any value');
    else if (added.length > 0) report(`may now be ${added.join(', ')}`);
  }
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'] as const;
const UPPER = ['maximum', 'maxLength', 'maxItems'] as const;

/** Limits of a request that became stricter. */
function compareLimits(old: Schema, next: Schema, report: (change: string) => void): void {
  for (const limit of LOWER)
    if ((next[limit] ?? Number.NEGATIVE_INFINITY) > (old[limit] ?? Number.NEGATIVE_INFINITY))
      report(`${limit} is now ${next[limit]}`);
  for (const limit of UPPER)
    if ((next[limit] ?? Number.POSITIVE_INFINITY) < (old[limit] ?? Number.POSITIVE_INFINITY))
      report(`${limit} is now ${next[limit]}`);
  if (next.pattern !== undefined && next.pattern !== old.pattern) report(`pattern is now ${next.pattern}`);
}

/**
 * Each alternative is compared with the one that fits best. A request must keep every alternative; a response must not gain one,
 * except a refusal: an object with the constant `success: false`, which clients recognise by its status.
 */
function compareAlternatives(all: Comparison, place: string, old: Schema, next: Schema, direction: Direction) {
  const [olds, nexts] = [alternativesOf(all.before, old), alternativesOf(all.after, next)];
  const [from, to] = direction === 'request' ? [olds, nexts] : [nexts, olds];
  for (const schema of from) {
    if (direction === 'response' && resolve(all.after, schema.properties?.success).const === false) continue;
    const results = to.map((other) => {
      const trial = { ...all, changes: [] as string[] };
      const [one, two] = direction === 'request' ? [schema, other] : [other, schema];
      compareSchema(trial, place, one, two, direction);
      return trial.changes;
    });
    const [best = [`${place}: another alternative`]] = results.toSorted((one, two) => one.length - two.length);
    all.changes.push(...best);
  }
  return all.changes.length;
}

const isAlternative = (schema: Schema) => schema.anyOf !== undefined;
const alternativesOf = (document: Document, schema: Schema): Schema[] =>
  schema.anyOf?.flatMap((part) => alternativesOf(document, resolve(document, part))) ?? [schema];
const typesOf = ({ type }: Schema): string[] => (type === undefined ? [] : [type].flat());
const accepts = (types: string[], type: string) =>
  types.length === 0 || types.includes(type) || (type === 'integer' && types.includes('number'));
const valuesOf = (schema: Schema): unknown[] | undefined =>
  schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);

function resolve(document: Document, schema: Schema = {}): Schema {
  if (!schema.$ref) return schema;
  return resolve(document, document.components?.schemas?.[schema.$ref.split('/').at(-1) ?? '']);
}
