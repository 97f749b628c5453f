import { escapeHtml } from '../../server/src/output-formats/escape-html.ts';
import { exampleOf, type OpenApi, type Operation, type Parameter, resolveSchema, type Schema } from './openapi.ts';
import { codeHtml, headingHtml, renderInline } from './render-markdown.ts';
import type { SiteTexts } from './site-texts.ts';

/** Where an operation is found in its document. */
export interface PlacedOperation {
  method: string;
  path: string;
  operation: Operation;
}

export interface ReferenceOptions {
  document: OpenApi;
  texts: SiteTexts;
  /** The page that explains error slugs; absent where the slugs have none. */
  errorsUrl?: string;
  /** Shows forms that send requests with a test key. */
  hasTrials: boolean;
}

export const operationsOf = (document: OpenApi): PlacedOperation[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );

/** The operations of one section, with the errors that all operations of the document share at the end. */
export function sectionHtml(operations: PlacedOperation[], options: ReferenceOptions): string {
  const { document, texts, hasTrials } = options;
  const shared = sharedFailures(document);
  const parts = operations.map((placed) => operationHtml(placed, shared, options));
  const common = failuresHtml(
    [...shared].map((key) => key.split('\n', 2) as [string, string]),
    options,
  );
  return [
    `<p class="base"><span>${texts.base}</span> <code>${escapeHtml(document.servers[0]?.url ?? '')}</code></p>`,
    hasTrials ? keysHtml(texts) : '',
    ...parts,
    shared.size > 0 ? headingHtml(2, 'common-errors', texts.failuresOfAll, texts) + english(common) : '',
  ].join('\n');
}

function operationHtml(placed: PlacedOperation, shared: Set<string>, options: ReferenceOptions): string {
  const { method, path, operation } = placed;
  const { texts, hasTrials } = options;
  const { operationId, summary, description = '', parameters = [], requestBody, responses } = operation;
  const own = failuresOf(operation).filter(([status, text]) => !shared.has(`${status}\n${text}`));
  const successes = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return `<section class="operation">
${headingHtml(2, operationId, english(escapeHtml(summary), 'span'), texts)}
<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path).replaceAll('/', '/<wbr>')}</code></p>
${english(paragraphs(description))}
${parameters.length > 0 ? `<h3>${texts.parameters}</h3>${parametersHtml(parameters, options)}` : ''}
${requestBody ? bodyHtml(requestBody.content, options) : ''}
<h3>${texts.exampleRequest}</h3>
${codeHtml(curlOf(placed, options.document), 'bash', texts)}
${hasTrials ? trialHtml(placed, options) : ''}
<h3>${texts.responses}</h3>
${successes.map(([status, answer]) => answerHtml(status, answer, options)).join('\n')}
${own.length > 0 ? `<h3>${texts.failures}</h3>${english(failuresHtml(own, options))}` : ''}
</section>`;
}

/** The contract's texts exist in English only. */
const english = (html: string, tag = 'div') => (html === '' ? '' : `<${tag} lang="en">${html}</${tag}>`);

const paragraphs = (text: string) =>
  text
    .split('\n\n')
    .filter((part) => part !== '')
    .map((part) => `<p>${renderInline(part)}</p>`)
    .join('');

function parametersHtml(parameters: Parameter[], options: ReferenceOptions): string {
  const items = parameters.map(({ name, in: place, required, description, schema }) => {
    const field = { ...schema, ...(description ? { description } : {}) };
    return fieldHtml(
      { name, schema: field, isRequired: required === true, place: options.texts.inPlace[place] },
      options,
    );
  });
  return `<ul class="fields">${items.join('')}</ul>`;
}

function bodyHtml(content: Record<string, { schema: Schema }>, options: ReferenceOptions): string {
  const [schema] = Object.values(content).map((entry) => entry.schema);
  if (!schema) return '';
  const { schema: body } = resolveSchema(options.document, schema);
  const intro = body.description ? english(`<p>${renderInline(body.description)}</p>`) : '';
  return `<h3>${options.texts.body}</h3>${intro}${fieldsHtml(body, options)}`;
}

function answerHtml(status: string, answer: Operation['responses'][string], options: ReferenceOptions): string {
  const { document, texts } = options;
  const [[type, media] = []] = Object.entries(answer.content ?? {});
  const line = `<p class="status"><span class="code-${status[0]}">${status}</span> <span lang="en">${renderInline(answer.description)}</span>${type && type !== 'application/json' ? ` <code>${escapeHtml(type)}</code>` : ''}</p>`;
  if (!media || type !== 'application/json') return line;
  const success = firstSuccess(document, media.schema);
  const example = codeHtml(JSON.stringify(exampleOf(document, success), null, 2), 'json', texts);
  const { schema } = resolveSchema(document, success);
  return `${line}<details class="more"><summary>${texts.fields}</summary>${fieldsHtml(schema, options)}</details>
<details class="more"><summary>${texts.exampleResponse}</summary>${example}</details>`;
}

/** A status that is also used for failures has several schemas; the first is the endpoint's own. */
const firstSuccess = (document: OpenApi, schema: Schema): Schema => {
  const { schema: found } = resolveSchema(document, schema);
  return found.anyOf && !found.properties ? (found.anyOf[0] ?? found) : found;
};

export function fieldsHtml(schema: Schema, options: ReferenceOptions): string {
  const items = Object.entries(schema.properties ?? {}).map(([name, field]) =>
    fieldHtml({ name, schema: field, isRequired: schema.required?.includes(name) === true }, options),
  );
  return items.length === 0 ? '' : `<ul class="fields">${items.join('')}</ul>`;
}

interface Field {
  name: string;
  schema: Schema;
  isRequired: boolean;
  place?: string;
}

function fieldHtml({ name, schema: given, isRequired, place }: Field, options: ReferenceOptions): string {
  const { document, texts } = options;
  const { schema, isNullable } = resolveSchema(document, given);
  const nested = nestedOf(document, schema);
  const facts = [
    typeName(document, schema) + (isNullable ? ` ${texts.nullable}` : ''),
    place,
    isRequired ? '' : texts.optional,
    ...limitsOf(schema, texts),
  ].filter((fact) => fact !== undefined && fact !== '');
  const values = (schema.enum ?? schema.items?.enum ?? []).filter((value) => typeof value === 'string');
  const choices =
    values.length > 1
      ? `<p class="values">${texts.oneOf} ${values.map((value) => `<code>${escapeHtml(value)}</code>`).join(' ')}</p>`
      : '';
  const inner = nested
    ? `<details class="nested"><summary>${texts.fieldsOf} <code>${escapeHtml(name)}</code></summary>${fieldsHtml(nested, options)}</details>`
    : '';
  const description = schema.description ? `<p lang="en">${renderInline(schema.description)}</p>` : '';
  return `<li><p class="field"><code>${escapeHtml(name)}</code> <span class="type">${facts.map((fact) => escapeHtml(String(fact))).join(' · ')}</span></p>${description}${choices}${inner}</li>`;
}

/** The object whose fields are shown below a field: its own, its items', or that of its first alternative. */
function nestedOf(document: OpenApi, schema: Schema): Schema | null {
  if (schema.properties && Object.keys(schema.properties).length > 0) return schema;
  if (schema.items) return nestedOf(document, resolveSchema(document, schema.items).schema);
  const parts = schema.anyOf?.map((part) => resolveSchema(document, part).schema);
  return parts?.find(({ properties }) => properties) ?? null;
}

function typeName(document: OpenApi, schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.anyOf) {
    const names = schema.anyOf.map((part) => typeName(document, resolveSchema(document, part).schema));
    return names.join(' | ');
  }
  const [type = 'any'] = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((one) => one !== 'null');
  if (type === 'array' && schema.items) return `${typeName(document, resolveSchema(document, schema.items).schema)}[]`;
  const format = schema.format && type === 'string' ? FORMATS[schema.format] : undefined;
  return format ?? type;
}

const FORMATS: Record<string, string> = {
  'date-time': 'ISO 8601',
  date: 'YYYY-MM-DD',
  'iso-date': 'ISO 8601',
  uri: 'URL',
  'idn-email': 'e-mail',
};

function limitsOf(schema: Schema, texts: SiteTexts): string[] {
  const { minimum, exclusiveMinimum, maximum, maxLength, maxItems } = schema;
  return [
    minimum === undefined ? '' : `≥ ${minimum}`,
    exclusiveMinimum === undefined ? '' : `> ${exclusiveMinimum}`,
    maximum === undefined ? '' : `≤ ${maximum}`,
    maxLength === undefined ? '' : `≤ ${maxLength} ${texts.characters}`,
    maxItems === undefined ? '' : `[≤ ${maxItems}]`,
    schema.default === undefined ? '' : `= ${JSON.stringify(schema.default)}`,
  ];
}

/** Status and text of each failure: one entry per paragraph of a description, which is one per slug. */
const failuresOf = ({ responses }: Operation): [status: string, text: string][] =>
  Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) => description.split('\n\n').map((text): [string, string] => [status, text]));

/** Failures that every operation of the document has. */
function sharedFailures(document: OpenApi): Set<string> {
  const lists = operationsOf(document).map(({ operation }) =>
    failuresOf(operation).map(([status, text]) => `${status}\n${text}`),
  );
  const [first = [], ...others] = lists;
  return new Set(first.filter((key) => others.every((list) => list.includes(key))));
}

function failuresHtml(failures: [status: string, text: string][], { errorsUrl }: ReferenceOptions): string {
  const items = failures.map(([status, text]) => {
    const [, slug, rest = text] = /^`([A-Z][A-Z_]+)`: ([\s\S]*)$/.exec(text) ?? [];
    const name = errorsUrl ? `<a href="${errorsUrl}#${slug}"><code>${slug}</code></a>` : `<code>${slug}</code>`;
    return `<li><span class="status"><span class="code-${status[0]}">${status}</span></span><div>${slug ? `<p>${name}</p>` : ''}<p>${renderInline(rest)}</p></div></li>`;
  });
  return `<ul class="failures">${items.join('')}</ul>`;
}

function curlOf({ method, path, operation }: PlacedOperation, document: OpenApi): string {
  const url = `"$api${path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`)}"`;
  const isOpen = operation.security?.length === 0;
  const headers = isOpen ? [] : ['-H "Authorization: Bearer $KEY" -H "X-Client-Id: $CLIENT_ID"'];
  if (operation.parameters?.some(({ name }) => name === 'x-idempotency-key'))
    headers.push('-H "X-Idempotency-Key: $attempt"');
  const body = bodyExample(operation, document);
  const lines = [
    `curl -s ${method === 'GET' || (method === 'POST' && body) ? '' : `-X ${method} `}${url}`,
    ...headers,
    ...(body ? [`--json '${body.replaceAll("'", '’')}'`] : []),
  ];
  return lines.join(' \\\n  ');
}

function bodyExample({ requestBody }: Operation, document: OpenApi): string | null {
  const schema = requestBody?.content['application/json']?.schema;
  return schema ? JSON.stringify(exampleOf(document, schema), null, 2) : null;
}

const keysHtml = (texts: SiteTexts) => `<form class="keys needs-script" autocomplete="off">
<h2>${texts.tryKeys}</h2><p>${texts.tryKeysText}</p>
<label>${texts.tryKey}<input name="key" type="password" autocomplete="off" spellcheck="false" placeholder="navette_test_…"></label>
<label>${texts.tryClientId}<input name="clientId" autocomplete="off" spellcheck="false" placeholder="nvc_test_…"></label>
</form>`;

function trialHtml({ method, path, operation }: PlacedOperation, { document, texts }: ReferenceOptions): string {
  const id = escapeHtml(operation.operationId);
  const inputs = (operation.parameters ?? []).map(
    ({ name, in: place, required }) =>
      `<label><code>${escapeHtml(name)}</code><input name="${place}:${escapeHtml(name)}" autocomplete="off"${required ? ' data-required' : ''}></label>`,
  );
  const body = bodyExample(operation, document);
  const editor = body
    ? `<label>${texts.body}<textarea name="body" rows="${Math.min(body.split('\n').length, 24)}" spellcheck="false">${escapeHtml(body)}</textarea></label>`
    : '';
  return `<details class="more trial needs-script"><summary>${texts.tryIt}</summary>
<form data-method="${method}" data-path="${escapeHtml(path)}" aria-label="${texts.tryIt}: ${id}" novalidate>${inputs.join('')}${editor}
<button type="submit" class="primary">${texts.trySend}</button><div class="answer" role="status" aria-label="${texts.tryAnswer}"></div></form></details>`;
}
