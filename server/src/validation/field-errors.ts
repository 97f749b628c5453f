import type { FieldError, WebFieldError } from '@navette/contract';
import type { ErrorObject } from 'ajv';

type Location = FieldError['location'];

/** All errors, one per field, in the contract's shape. */
export const toFieldErrors = (errors: readonly ErrorObject[], location: Location): FieldError[] =>
  firstOfEachField(errors).map(([path, error]) => ({ type: 'field', msg: explain(error), path, location }));

/** The same with the violated rule and its bound, for an app that translates messages itself. */
export const toWebFieldErrors = (errors: readonly ErrorObject[], location: Location): WebFieldError[] =>
  firstOfEachField(errors).map(([path, error]) => {
    const limit: unknown = error.params.limit ?? error.params.format;
    const bound = typeof limit === 'number' || typeof limit === 'string' ? { limit } : {};
    return { type: 'field', msg: explain(error), path, location, rule: error.keyword, ...bound };
  });

function firstOfEachField(errors: readonly ErrorObject[]): [path: string, error: ErrorObject][] {
  const byPath = new Map<string, ErrorObject>();
  for (const error of errors) {
    for (const path of pathsOf(error)) if (!byPath.has(path)) byPath.set(path, error);
  }
  return [...byPath];
}

interface ObjectSchema {
  required?: string[];
  properties?: Record<string, ObjectSchema>;
}

/** The path of the error; for a missing object the paths of its required fields, which the caller has to add. */
function pathsOf(error: ErrorObject): string[] {
  if (error.keyword !== 'required') return [pathOf(error)];
  const { properties = {} } = (error.parentSchema ?? {}) as ObjectSchema;
  return requiredIn(properties[String(error.params.missingProperty)], pathOf(error));
}

function requiredIn({ required = [], properties = {} }: ObjectSchema = {}, path: string): string[] {
  return required.length === 0 ? [path] : required.flatMap((name) => requiredIn(properties[name], `${path}.${name}`));
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
  'idn-email': 'une adresse e-mail valide',
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
