/**
 * Takes screenshots of every page of the driver app in both languages, light and dark, 360 and 430 px wide and with text
 * of 200 %, into var/gallery-driver. One variant: `npm run gallery:driver -- -t fr-light-360`. `-t docs` draws the
 * pictures of docs/driver-app.md. Build the app first.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, test } from 'vitest';
import { PAGES } from './pages.ts';
import { openShowing } from './show-page.ts';
import { openStage, type Stage } from './stage.ts';

const folder = new URL('../../var/gallery-driver/', import.meta.url).pathname;
let stage: Stage;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  stage = await openStage();
});
afterAll(() => stage?.stop());

const VARIANTS = ['fr', 'en'].flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    [
      { width: 360, textSize: 100 },
      { width: 430, textSize: 100 },
      { width: 360, textSize: 200 },
    ].map(({ width, textSize }) => ({
      ...{ language, theme, width, textSize },
      variant: `${language}-${theme}-${width}${textSize === 100 ? '' : `-${textSize}`}`,
    })),
  ),
);
const phoneOf = (language: string, theme: 'light' | 'dark', width: number, textSize: number) => ({
  locale: language === 'fr' ? 'fr-FR' : 'en-GB',
  colorScheme: theme,
  viewport: { width, height: 780 },
  settings: { textSize },
});

test.each(VARIANTS)('$variant', { timeout: 300_000 }, async ({ variant, language, theme, width, textSize }) => {
  const { page, show, close } = await openShowing(stage, phoneOf(language, theme, width, textSize));
  for (const entry of PAGES) {
    await show(entry);
    await page.screenshot({ path: `${folder}${entry.name}-${variant}.png`, fullPage: true });
  }
  await close();
});

const DOCS: Record<string, string[]> = {
  day: ['home', 'offer', 'stop-delivery'],
  delivery: ['code', 'proof', 'problem'],
  offline: ['stop-offline', 'outbox-waiting', 'cards'],
  phone: ['start-location', 'settings', 'diagnosis'],
};

test('docs', { timeout: 300_000 }, async () => {
  const images = new URL('../../docs/images/driver-app/', import.meta.url);
  mkdirSync(images, { recursive: true });
  const frame = await stage.browser.newPage({ viewport: { width: 1_000, height: 700 } });
  for (const [name, pages] of Object.entries(DOCS)) {
    const { page, show, close } = await openShowing(
      stage,
      phoneOf('en', name === 'offline' ? 'dark' : 'light', 360, 100),
    );
    const shots: string[] = [];
    for (const entry of pages.flatMap((wanted) => PAGES.filter((one) => one.name === wanted))) {
      await show(entry);
      shots.push((await page.screenshot()).toString('base64'));
    }
    await close();
    const markup = shots.map((png) => `<img width="280" src="data:image/png;base64,${png}">`).join('');
    await frame.setContent(
      `<body style="margin:0"><style>img{border-radius:14px}</style><div style="display:inline-flex;gap:12px;padding:12px;background:#8b93a3">${markup}</div></body>`,
    );
    writeFileSync(new URL(`${name}.jpg`, images), await frame.locator('div').screenshot({ type: 'jpeg', quality: 72 }));
  }
  await frame.close();
});
