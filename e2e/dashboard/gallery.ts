/**
 * Takes screenshots of every page in both languages, light and dark, on a desktop and a phone, into var/gallery. One page:
 * `npm run gallery:dashboard -- -t shipments`.
 * `-t docs` draws the pictures of the README and the guide.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { PAGES, settle } from './pages.ts';
import { DESKTOP, openStage, PHONE, type Stage } from './stage.ts';
import { createWorld, type World } from './world.ts';

const folder = new URL('../../var/gallery/', import.meta.url).pathname;
const PDF_DRAWN_MS = 2_500; // the browser's PDF viewer does not signal when it has finished
const SCREENS = { desktop: DESKTOP, phone: PHONE };

let stage: Stage;
let world: World;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  stage = await openStage();
  world = await createWorld(stage);
});
afterAll(() => stage?.stop());

test.each(PAGES)('$name', { timeout: 300_000 }, async (entry) => {
  const path = await entry.path(world);
  const member = entry.as ? entry.as(world) : world.owner;
  for (const locale of ['fr-FR', 'en-GB'])
    for (const colorScheme of ['light', 'dark'] as const)
      for (const [screen, viewport] of Object.entries(SCREENS)) {
        const { page, close } = await stage.open(path, member, { locale, colorScheme, viewport });
        await settle(page, entry);
        const file = `${folder}${entry.name}-${locale.slice(0, 2)}-${colorScheme}-${screen}.png`;
        await takeScreenshot(page, file);
        await close();
      }
});

/** The whole page from its top, or only the visible part if a dialog is open. */
async function takeScreenshot(page: Page, path: string): Promise<void> {
  const isDialogOpen = (await page.getByRole('dialog').count()) > 0;
  if (!isDialogOpen) await page.evaluate('scrollTo(0, 0)');
  if (!isDialogOpen && (await page.locator('iframe').count()) > 0) {
    // A screenshot taller than the viewport makes the browser redraw the PDF, too late for the screenshot.
    const { width } = page.viewportSize() ?? DESKTOP;
    await page.setViewportSize({ width, height: Number(await page.evaluate('document.body.scrollHeight')) });
    await page.waitForTimeout(PDF_DRAWN_MS);
  }
  await page.screenshot({ path, fullPage: !isDialogOpen });
}

test('docs', { timeout: 240_000 }, async () => {
  const shots: string[] = [];
  for (const [path, viewport, colorScheme] of [
    ['/', DESKTOP, 'light'],
    ['/shipments', PHONE, 'dark'],
  ] as const) {
    const { page, close } = await stage.open(path, world.owner, { viewport, colorScheme });
    await settle(page, { name: path, path: () => path });
    shots.push((await page.screenshot()).toString('base64'));
    await close();
  }
  const [desktop, phone] = shots.map((png) => `<img height="520" src="data:image/png;base64,${png}">`);
  const pictures = { overview: `${desktop}`, readme: `${desktop}${phone}` };
  const folder = new URL('../../docs/images/dashboard/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const page = await stage.browser.newPage({ viewport: { width: 1120, height: 544 } });
  for (const [name, markup] of Object.entries(pictures)) {
    await page.setContent(
      `<body style="margin:0"><style>img{border-radius:10px}</style><div style="display:inline-flex;gap:12px;padding:12px;background:#8b93a3">${markup}</div></body>`,
    );
    writeFileSync(new URL(`${name}.png`, folder), await page.locator('div').screenshot());
  }
  await page.close();
});
