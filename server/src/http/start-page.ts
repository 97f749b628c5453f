import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { chooseLanguage, type Language } from './choose-language.ts';
import { contentPolicy } from './response-headers.ts';

const ICON = readFileSync(new URL('./favicon.ico', import.meta.url));
const DAY_SECONDS = 86_400;

const TEXTS: Record<Language, { about: string; links: [path: string, title: string, text: string][] }> = {
  fr: {
    about: 'Livraison du dernier kilomètre',
    links: [
      ['/dashboard/', 'Tableau de bord', 'Créer, suivre et imprimer les envois'],
      ['/driver/', 'Application des livreurs', 'Courses, livraisons et gains, avec ou sans réseau'],
      ['/docs', 'Documentation', 'Guides et référence de l’API des commerçants'],
      ['/driver/docs', 'API des livreurs', 'Référence de l’application des livreurs'],
    ],
  },
  en: {
    about: 'Last-mile delivery',
    links: [
      ['/dashboard/', 'Dashboard', 'Create, track and print shipments'],
      ['/driver/', 'Driver app', 'Runs, deliveries and earnings, with or without network'],
      ['/docs', 'Documentation', 'Guides and reference of the merchant API'],
      ['/driver/docs', 'Driver API', 'Reference for the driver app'],
    ],
  },
};

const STYLE = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{max-width:32rem;margin:12vh auto;padding:0 1.5rem}h1{display:flex;gap:.6rem;align-items:center;margin:0}
ul{list-style:none;padding:0}li{margin:.75rem 0}
a{display:block;padding:.9rem 1.1rem;border:1px solid #8886;border-radius:.75rem;color:inherit;text-decoration:none}
a:hover,a:focus-visible{border-color:#1f4fd8}a span{display:block;opacity:.75}`;

const POLICY = contentPolicy(
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "img-src 'self'",
);

const PAGES = { fr: startPage('fr'), en: startPage('en') };

/** `/`: leads to the pages that people use. */
export function serveStartPage(app: FastifyInstance): void {
  app.get('/', async ({ headers }, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({ 'content-security-policy': POLICY, vary: 'accept-language' })
      .send(PAGES[chooseLanguage(undefined, headers['accept-language'])]),
  );
  app.get('/favicon.ico', async (_request, reply) =>
    reply.type('image/x-icon').header('cache-control', `public, max-age=${DAY_SECONDS}`).send(ICON),
  );
}

function startPage(language: Language): string {
  const { about, links } = TEXTS[language];
  const items = links.map(
    ([path, title, text]) => `<li><a href="${path}"><strong>${title}</strong><span>${text}</span></a></li>`,
  );
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="/favicon.ico">
<title>Navette</title><style>${STYLE}</style></head>
<body><main><h1><img src="/favicon.ico" alt="" width="32" height="32">Navette</h1><p>${about}</p><ul>${items.join('')}</ul></main></body></html>`;
}
