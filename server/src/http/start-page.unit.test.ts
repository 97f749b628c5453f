import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { protectPages } from './response-headers.ts';
import { serveStartPage } from './start-page.ts';

const app = Fastify();
protectPages(app);
serveStartPage(app);

test.each([
  [undefined, 'fr', 'Tableau de bord'],
  ['fr-FR,fr;q=0.9,en;q=0.8', 'fr', 'Tableau de bord'],
  ['en-GB,en;q=0.9', 'en', 'Dashboard'],
])('/ with Accept-Language %s is in %s', async (language, lang, title) => {
  const { statusCode, body, headers } = await app.inject({
    url: '/',
    headers: language ? { 'accept-language': language } : {},
  });
  expect(statusCode).toBe(200);
  expect(body).toContain(`<html lang="${lang}">`);
  expect(body).toContain(`<a href="/dashboard/"><strong>${title}</strong>`);
  expect(headers).toMatchObject({ 'referrer-policy': 'no-referrer', vary: 'accept-language' });
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-.*frame-ancestors 'none'$/,
  );
});

test('/favicon.ico is an icon', async () => {
  const { statusCode, headers, rawPayload } = await app.inject({ url: '/favicon.ico' });
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('image/x-icon');
  expect(rawPayload.subarray(0, 4)).toEqual(Buffer.from([0, 0, 1, 0]));
});
