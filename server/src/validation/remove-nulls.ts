interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

type Clean = (value: unknown) => void;

/**
 * In a body `null` counts as absent, so that a client can post back a document that it read. The returned function
 * removes nulls from every field of the schema that does not allow null; a required field is missing then. Free content
 * keeps its nulls. Returns null when the schema has no fields.
 */
export function compileNullRemoval(schema: object): Clean | null {
  const { properties, items } = schema as Schema;
  if (items) return cleanItems(compileNullRemoval(items));
  return properties ? cleanFields(properties) : null;
}

function cleanFields(properties: Record<string, Schema>): Clean {
  const fields = Object.entries(properties).map(
    ([name, schema]) => [name, !allowsNull(schema), compileNullRemoval(schema)] as const,
  );
  return (value) => {
    if (typeof value !== 'object' || value === null) return;
    const body = value as Record<string, unknown>;
    for (const [name, isAbsent, cleanField] of fields) {
      if (body[name] !== null) cleanField?.(body[name]);
      else if (isAbsent) delete body[name];
    }
  };
}

function cleanItems(clean: Clean | null): Clean | null {
  return clean && ((value) => Array.isArray(value) && value.forEach(clean));
}

/** A schema without a type allows any value. */
const allowsNull = ({ type }: Schema) => type === undefined || [type].flat().includes('null');
