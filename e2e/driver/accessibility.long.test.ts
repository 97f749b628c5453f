import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import fr from '../../apps/driver/src/i18n/fr.ts';
import { PAGES } from './pages.ts';
import { openShowing, type Showing } from './show-page.ts';
import { openStage, type Stage } from './stage.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FINE = ['minor', 'moderate'];
// Contrast of 7:1 (color-contrast-enhanced) is off by default, and is what a screen in the sun needs.
const RUN = "axe.run({ resultTypes: ['violations'], rules: { 'color-contrast-enhanced': { enabled: true } } })";
const SMALLEST_TARGET_PX = 64;
/** Buttons, links and fields that are smaller than a glove; options are as large as their label. */
const SMALL_TARGETS = `[...document.querySelectorAll('button, a[href], input, textarea, label.button')]
  .filter((element) => !element.matches('.only-read, [type=radio]'))
  .map((element) => [element.getBoundingClientRect(), element.textContent || element.name])
  .filter(([{ width, height }]) => width > 0 && (height < ${SMALLEST_TARGET_PX} - 0.5 || width < ${SMALLEST_TARGET_PX} - 0.5))
  .map(([{ width, height }, name]) => name + ' ' + Math.round(width) + 'x' + Math.round(height))`;

let stage: Stage;
const showings: Showing[] = [];
beforeAll(async () => {
  stage = await openStage();
  // Injects axe outside of the page, so that the real policy is tested elsewhere.
  const phones = [
    { locale: 'fr-FR', colorScheme: 'light', viewport: { width: 360, height: 780 } },
    { locale: 'en-GB', colorScheme: 'dark', viewport: { width: 360, height: 780 }, settings: { textSize: 200 } },
  ] as const;
  for (const phone of phones) showings.push(await openShowing(stage, { ...phone, bypassCSP: true }));
});
afterAll(() => stage?.stop());

describe('every page of the driver app, also with dark colours and text of 200 %', () => {
  test.each(PAGES)(
    '$name: nothing serious, contrast of 7:1, targets of 64 px, nothing scrolls sideways',
    async (entry) => {
      for (const { page, show } of showings) {
        await show(entry);
        await page.evaluate(AXE);
        const { violations } = (await page.evaluate(RUN)) as AxeResults;
        const serious = violations.filter(({ impact }) => !FINE.includes(impact ?? ''));
        expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
        expect(await page.evaluate(SMALL_TARGETS)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
      }
    },
  );
});

describe('keyboard users', { timeout: 240_000 }, () => {
  test('type the code with figures, erase and confirm it', async () => {
    const [showing] = showings;
    const entry = PAGES.find(({ name }) => name === 'code');
    if (!showing || !entry) throw new Error('no page');
    const { page, show } = showing;
    await show(entry);
    await page.keyboard.type('1234567');
    await page.keyboard.press('Backspace');
    await page.getByLabel(fr.code.digits(5)).waitFor();
    await page.keyboard.type('6');
    await page.getByRole('button', { name: fr.code.confirm }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: fr.stop.delivery, exact: true }).waitFor();
  });

  test('reach an offer’s buttons first, because it covers everything else', async () => {
    const [showing] = showings;
    const entry = PAGES.find(({ name }) => name === 'offer');
    if (!showing || !entry) throw new Error('no page');
    const { page, show } = showing;
    await show(entry);
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: fr.offer.refuse }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: fr.offer.accept }).and(page.locator(':focus')).waitFor();
  });
});
