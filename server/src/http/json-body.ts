import type { FastifyInstance } from 'fastify';
import { refuseWithMessage } from '../refusals/refusal.ts';

const SUSPECT = /\\u0000|\\u[dD][89a-fA-F]/;

/** Parses JSON bodies. Empty bodies count as missing. Text that PostgreSQL cannot store is refused, for every field. */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  // PHP's curl and others send a form's content type with an empty POST, which must not be refused for its type.
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (raw.headers['content-length'] === '0') delete raw.headers['content-type'];
    done();
  });
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.length === 0) return done(null, undefined);
    void parse(request, text as string, (error, value) => {
      if (error) return done(error, undefined);
      try {
        if (SUSPECT.test(text as string)) refuseUnstorableText(value);
        done(null, value);
      } catch (refusal) {
        done(refusal as Error, undefined);
      }
    });
  });
}

/** Iterative: a body nested a hundred thousand levels deep would overflow the stack. */
function refuseUnstorableText(body: unknown): void {
  const left = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') {
      if (value.includes('\0') || !value.isWellFormed()) {
        refuseWithMessage(
          400,
          'Le texte contient un caractère nul ou un demi-caractère Unicode : corrigez l’encodage.',
        );
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) left.push(name, inner);
    }
  }
}
