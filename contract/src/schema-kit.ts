import Type, { type Static, type TProperties, type TSchema, type TSchemaOptions } from 'typebox';

/** An object of a response: exactly these fields, so no other field can be sent. */
export const Closed = <P extends TProperties>(properties: P, options: TSchemaOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: false });

/**
 * A typed schema or null, written as `type: [T, "null"]`: serialisers handle this with one comparison, while `anyOf`
 * would validate the value again.
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

/** Text that a person typed: not blank, and short enough for a database index and a label. */
export const Text = (options: TSchemaOptions = {}) =>
  Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', ...options });

/** An e-mail address in any script, on both sides of the @. */
export const Email = (options: TSchemaOptions = {}) => Type.String({ format: 'idn-email', maxLength: 254, ...options });

export const Id = (description: string) =>
  Type.String({ description, examples: ['01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60'] });
export const Instant = (options: TSchemaOptions = {}) => Type.String({ format: 'date-time', ...options });
export const Euros = (options: TSchemaOptions = {}) => Type.Number({ ...options, examples: [9.9] });
/** A response that is not JSON. */
/** A file of one of these media types. */
export const File = (...mediaTypes: string[]) =>
  Type.Unsafe<never>({ type: 'string', contentMediaType: mediaTypes.join(', ') });
export const Success = Type.Unsafe<true>({ type: 'boolean', const: true, description: 'True: the request succeeded.' });

/** Of a list that is read page by page. */
export const Cursor = Type.Optional(Type.String({ maxLength: 100, description: '`nextCursor` of the previous page.' }));
