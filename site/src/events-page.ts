import { exampleOf, resolveSchema } from './openapi.ts';
import { fieldsHtml, type ReferenceOptions } from './reference-page.ts';
import { codeHtml, headingHtml, renderInline } from './render-markdown.ts';

/** The requests that the service sends: `webhooks` of the OpenAPI document. */
export function eventsHtml(options: ReferenceOptions, guideUrl: string): string {
  const { document, texts } = options;
  const events = Object.entries(document.webhooks ?? {});
  const [first] = events.map(([, { post }]) => post);
  const schema = first?.requestBody?.content['application/json']?.schema;
  if (!first || !schema) throw new Error('the document has no webhooks');
  const { schema: body } = resolveSchema(document, schema);
  const headers = { properties: {}, required: [] as string[] } as {
    properties: Record<string, object>;
    required: string[];
  };
  for (const { name, description, schema: header } of first.parameters ?? []) {
    headers.properties[name] = { ...header, description };
    headers.required.push(name);
  }
  const list = events.map(
    ([name, { post }]) =>
      `${headingHtml(3, name, `<code>${name}</code>`, texts)}<p lang="en">${renderInline(post.description ?? '')}</p>`,
  );
  return `<p>${texts.eventsIntro} <a href="${guideUrl}">Webhooks</a></p>
${headingHtml(2, 'events', texts.events, texts)}${list.join('\n')}
${headingHtml(2, 'headers', texts.headers, texts)}${fieldsHtml(headers, options)}
${headingHtml(2, 'body', texts.body, texts)}${fieldsHtml(body, options)}
${headingHtml(2, 'example', texts.example, texts)}${codeHtml(JSON.stringify(exampleOf(document, body), null, 2), 'json', texts)}`;
}
