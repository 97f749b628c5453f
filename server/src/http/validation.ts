import type { DashboardFieldError, FieldError } from '@navette/contract';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { isIsoDate } from './iso-date.ts';
import { compileListBounds } from './list-bounds.ts';

type Location = FieldError['location'];

const options = { allErrors: true, useDefaults: true, allowUnionTypes: true } as const;

function withFormats(ajv: Ajv): Ajv {
  formats.default(ajv, ['date', 'date-time', 'email', 'uri']);
  return ajv.addFormat('iso-date', isIsoDate);
}

/** Bodies say what they mean: "true" is no boolean. Query strings and headers are text, so they are converted. */
const strict = withFormats(new Ajv({ ...options, coerceTypes: false }));
const coercing = withFormats(new Ajv({ ...options, coerceTypes: true }));

export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  const validate = (httpPart === 'body' ? strict : coercing).compile(schema);
  if (httpPart === 'body') return withListBounds(schema, validate);
  if (httpPart !== 'querystring') return validate;
  return (query: Record<string, unknown>) => {
    const errors = [...(validate(query) ? [] : (validate.errors ?? [])), ...findUnstorable(query)];
    return errors.length === 0 || { error: errors };
  };
};

function withListBounds(schema: object, validate: ValidateFunction): ReturnType<typeof compileValidator> {
  const findTooLong = compileListBounds(schema);
  if (!findTooLong) return validate;
  return (body: unknown) => {
    const tooLong = findTooLong(body);
    return tooLong.length > 0 ? { error: tooLong } : validate(body) || { error: validate.errors ?? [] };
  };
}

/**
 * What passes the schema and no database takes: the null character (`%00`), which json-body.ts finds in bodies,
 * and a number such as 1e999, which converted text may become and which every bound lets through.
 */
function findUnstorable(query: Record<string, unknown>): ErrorObject[] {
  return Object.entries(query)
    .filter(([, value]) =>
      typeof value === 'string' ? value.includes('\0') : value === Infinity || value === -Infinity,
    )
    .map(([name]) => ({ instancePath: `/${name}`, keyword: 'storable', schemaPath: '', params: {} }));
}

/** The same strictness for data that does not arrive as a request's whole body: batch entries, CLI input. */
export const compileBodyValidator = <T>(schema: object): ValidateFunction<T> => strict.compile<T>(schema);

/** All errors at once, one per field, in the contract's shape. */
export const toFieldErrors = (errors: readonly ErrorObject[], location: Location): FieldError[] =>
  firstOfEachField(errors).map(([path, error]) => ({ type: 'field', msg: explain(error), path, location }));

/** The same with the rule that was broken and its bound, for an app that words them itself. */
export const toDashboardFieldErrors = (errors: readonly ErrorObject[], location: Location): DashboardFieldError[] =>
  firstOfEachField(errors).map(([path, error]) => {
    const limit: unknown = error.params.limit ?? error.params.format;
    const bound = typeof limit === 'number' || typeof limit === 'string' ? { limit } : {};
    return { type: 'field', msg: explain(error), path, location, rule: error.keyword, ...bound };
  });

function firstOfEachField(errors: readonly ErrorObject[]): [path: string, error: ErrorObject][] {
  const byPath = new Map<string, ErrorObject>();
  for (const error of errors) {
    const path = pathOf(error);
    if (!byPath.has(path)) byPath.set(path, error);
  }
  return [...byPath];
}

function pathOf({ instancePath, keyword, params }: ErrorObject): string {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (keyword === 'required') steps.push(String(params.missingProperty));
  if (keyword === 'additionalProperties') steps.push(String(params.additionalProperty));
  return steps.reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), '');
}

const TYPES: Record<string, string> = {
  string: 'du texte',
  number: 'un nombre',
  integer: 'un nombre entier',
  boolean: 'un booléen (true ou false)',
  object: 'un objet',
  array: 'une liste',
};
const FORMATS: Record<string, string> = {
  email: 'une adresse e-mail valide',
  'iso-date': 'une date ISO 8601, par exemple 2030-05-20',
  uri: 'une adresse http ou https complète',
};

function explain({ keyword, params }: ErrorObject): string {
  switch (keyword) {
    case 'required':
      return 'Champ obligatoire.';
    case 'type':
      return `Doit être ${[params.type]
        .flat()
        .map((type) => TYPES[String(type)] ?? type)
        .join(' ou ')}.`;
    case 'format':
      return `Doit être ${FORMATS[String(params.format)] ?? 'dans un format valide'}.`;
    case 'enum':
      return `Doit être l’une des valeurs : ${(params.allowedValues as string[]).join(', ')}.`;
    case 'exclusiveMinimum':
      return `Doit être supérieur à ${params.limit}.`;
    case 'minimum':
      return `Doit être au moins ${params.limit}.`;
    case 'maximum':
      return `Doit être au plus ${params.limit}.`;
    case 'minLength':
      return params.limit > 1 ? `Au moins ${params.limit} caractères.` : 'Ne doit pas être vide.';
    case 'pattern':
      return 'Ne doit pas être vide.';
    case 'maxLength':
      return `Au plus ${params.limit} caractères.`;
    case 'minItems':
      return `Au moins ${params.limit} élément.`;
    case 'maxItems':
      return `Au plus ${params.limit} éléments.`;
    case 'additionalProperties':
      return 'Champ inconnu.';
    default:
      return 'Valeur invalide.';
  }
}
