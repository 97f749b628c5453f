import { NavetteError } from './errors.ts';
import { remedyFor } from './read-failure.ts';

const DOCUMENT_DEPTH = 3; // {"shippings": [{…}]}

/** Splits `{"success":true,"shippings":[{…},{…}]}` into its documents while it arrives. Memory holds one document. */
export async function* splitDocuments<T>(parts: AsyncIterable<string>): AsyncGenerator<T> {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  let document = '';
  let isComplete = false;
  for await (const part of parts) {
    let start = depth >= DOCUMENT_DEPTH ? 0 : -1;
    for (let i = 0; i < part.length; i++) {
      const char = part[i];
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (char === '\\') isEscaped = true;
        else if (char === '"') isText = false;
      } else if (char === '"') {
        isText = true;
      } else if (char === '{' || char === '[') {
        if (++depth === DOCUMENT_DEPTH) start = i;
      } else if (char === '}' || char === ']') {
        if (depth-- === DOCUMENT_DEPTH) {
          yield JSON.parse(document + part.slice(start, i + 1)) as T;
          document = '';
          start = -1;
        }
        isComplete = depth === 0;
      }
    }
    if (start >= 0) document += part.slice(start);
  }
  if (!isComplete) {
    throw new NavetteError('network', 'the export broke off before its end', {
      remedy: remedyFor('network'),
      isRetryable: true,
    });
  }
}
