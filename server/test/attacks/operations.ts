/**
 * The operations of every OpenAPI document that the server publishes. Attacks are generated from them, so that an
 * endpoint added later is attacked without a change here.
 */
export type Api = 'merchant' | 'dashboard' | 'driver' | 'console';

export type Schema = Record<string, unknown> & {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
};

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  schema: Schema;
}

export interface Operation {
  api: Api;
  name: string;
  method: string;
  /** With the base path of its API; `{id}` stands for a parameter. */
  path: string;
  /** Served without credentials. */
  isOpen: boolean;
  changes: boolean;
  parameters: Parameter[];
  body: Schema | null;
  /** Bodies of its API: plausible content for parts without a schema, such as entries of a batch. */
  bodies: Schema[];
  /** By status: the schema of each media type, null where the document does not describe the content. */
  responses: Map<number, Record<string, Schema> | null>;
}

const DOCUMENTS: Record<Api, string> = {
  merchant: '/openapi.json',
  dashboard: '/dashboard/openapi.json',
  driver: '/driver/openapi.json',
  console: '/console/openapi.json',
};
const METHODS_THAT_READ = ['GET', 'HEAD'];

export async function readOperations(url: string): Promise<Operation[]> {
  const apis = Object.entries(DOCUMENTS) as [Api, string][];
  const lists = await Promise.all(
    apis.map(async ([api, path]) => operationsIn(api, (await (await fetch(`${url}${path}`)).json()) as Document)),
  );
  return lists.flat();
}

interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, Schema> };
}

interface DocumentedOperation {
  operationId: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

function operationsIn(api: Api, document: Document): Operation[] {
  const base = new URL(document.servers[0]?.url ?? '').pathname;
  const { schemas } = document.components;
  const bodies: Schema[] = [];
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([lower, documented]) => {
      const method = lower.toUpperCase();
      const [content] = Object.values(documented.requestBody?.content ?? {});
      const body = content ? inline(content.schema, schemas) : null;
      if (body) bodies.push(body);
      return {
        api,
        name: documented.operationId,
        method,
        path: `${base}${path}`,
        isOpen: documented.security?.length === 0,
        changes: !METHODS_THAT_READ.includes(method),
        parameters: documented.parameters ?? [],
        body,
        bodies,
        responses: new Map(
          Object.entries(documented.responses).map(([status, { content }]) => {
            const types = Object.entries(content ?? {}).map(([type, { schema }]) => [type, inline(schema, schemas)]);
            return [Number(status), content ? (Object.fromEntries(types) as Record<string, Schema>) : null];
          }),
        ),
      };
    }),
  );
}

/** The schema with every reference resolved. */
function inline<Part>(part: Part, schemas: Record<string, Schema>): Part {
  if (Array.isArray(part)) return part.map((item) => inline(item, schemas)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const { $ref } = part as { $ref?: string };
  if ($ref) return inline(schemas[$ref.replace('#/components/schemas/', '')], schemas) as Part;
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inline(value, schemas)])) as Part;
}

export const describeOperation = ({ api, method, path }: Operation): string => `${api} ${method} ${path}`;

export const hasPathParameter = ({ path }: Operation): boolean => path.includes('{');
