import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { isEmail } from './email.ts';
import { isIsoDate } from './iso-date.ts';
import { compileListBounds } from './list-bounds.ts';
import { compileNullRemoval } from './remove-nulls.ts';

// Verbose, so that an error includes the schema of a missing object.
const options = { allErrors: true, useDefaults: true, allowUnionTypes: true, verbose: true } as const;

function withFormats(ajv: Ajv): Ajv {
  formats.default(ajv, ['date', 'date-time', 'uri']);
  return ajv.addFormat('iso-date', isIsoDate).addFormat('idn-email', isEmail);
}

/** Bodies are strict: "true" is no boolean. Query strings and headers are text, so their values are converted. */
const strict = withFormats(new Ajv({ ...options, coerceTypes: false }));
const coercing = withFormats(new Ajv({ ...options, coerceTypes: true }));

/**
 * When it is first used: an api process has some five hundred schemas, and compiling all of them took a quarter of the time
 * until it listens.
 */
function compileWhenUsed<T>(ajv: Ajv, schema: object): ValidateFunction<T> {
  let compiled: ValidateFunction<T> | undefined;
  const validate = ((data: unknown) => {
    compiled ??= ajv.compile<T>(schema);
    const passed = compiled(data);
    validate.errors = compiled.errors ?? null;
    return passed;
  }) as ValidateFunction<T>;
  return validate;
}

export const compileValidator: FastifySchemaCompiler<object> = ({ schema, httpPart }) => {
  if (httpPart === 'body') return withListBounds(schema, compileBodyValidator(schema));
  const validate = compileWhenUsed(coercing, schema);
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
 * Values that pass the schema but that PostgreSQL cannot store: the null character (`%00`), which json-body.ts finds in
 * bodies, and numbers such as 1e999, which are converted to infinity.
 */
function findUnstorable(query: Record<string, unknown>): ErrorObject[] {
  return Object.entries(query)
    .filter(([, value]) =>
      typeof value === 'string' ? value.includes('\0') : value === Infinity || value === -Infinity,
    )
    .map(([name]) => ({ instancePath: `/${name}`, keyword: 'storable', schemaPath: '', params: {} }));
}

/** For bodies, and for entries of a batch or an import, which have the same schema as a single creation. */
export function compileBodyValidator<T>(schema: object): ValidateFunction<T> {
  const validate = compileWhenUsed<T>(strict, schema);
  const removeNulls = compileNullRemoval(schema);
  if (!removeNulls) return validate;
  const validateWithoutNulls = ((data: unknown) => {
    removeNulls(data);
    const passed = validate(data);
    validateWithoutNulls.errors = validate.errors ?? null;
    return passed;
  }) as ValidateFunction<T>;
  return validateWithoutNulls;
}

/** For JSON that the operator gives to the command line, where a null without a meaning is a mistake. */
export const compileInputValidator = <T>(schema: object): ValidateFunction<T> => compileWhenUsed<T>(strict, schema);
