import Type, { type Static, type TProperties, type TSchema, type TSchemaOptions } from 'typebox';

/** An object of an answer: exactly these fields, so nothing else can leave. */
export const Closed = <P extends TProperties>(properties: P, options: TSchemaOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });

/**
 * A typed schema or null, written as `type: [T, "null"]`: serialisers handle that with one comparison,
 * where an `anyOf` would validate the value again.
 */
export const Nullable = <S extends TSchema>(schema: S) => {
  const plain = schema as TSchema & { type?: string; enum?: unknown[] };
  return Type.Unsafe<Static<S> | null>({
    ...plain,
    type: [plain.type ?? 'string', 'null'],
    ...(plain.enum ? { enum: [...plain.enum, null] } : {}),
  });
};

export const OneOf = <const V extends readonly string[]>(values: V, options: TSchemaOptions = {}) =>
  Type.Unsafe<V[number]>({ ...options, type: 'string', enum: [...values] });

/** Text that a person typed: never empty or blank, never longer than a database index or a label can take. */
export const Text = (options: TSchemaOptions = {}) =>
  Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', ...options });

export const Id = (description: string) =>
  Type.String({ description, examples: ['01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60'] });
export const Instant = (options: TSchemaOptions = {}) => Type.String({ format: 'date-time', ...options });
export const Euros = (options: TSchemaOptions = {}) => Type.Number({ ...options, examples: [9.9] });
/** An answer that is no JSON. */
export const File = (contentMediaType: string) => Type.Unsafe<never>({ type: 'string', contentMediaType });
export const Success = Type.Unsafe<true>({ type: 'boolean', const: true });
