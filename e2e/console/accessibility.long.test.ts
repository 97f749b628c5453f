import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DESKTOP } from '../window.ts';
import { type ConsoleWorld, createConsoleWorld, openPage, PAGES } from './pages.ts';
import { type ConsoleStage, openConsoleStage } from './stage.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FINE = ['minor', 'moderate'];
const TABLET = { width: 820, height: 1180 };
const SCREENS = [
  { colorScheme: 'light', viewport: DESKTOP },
  { colorScheme: 'dark', viewport: TABLET },
] as const;
// Skips colour transitions, whose intermediate colours do not count; endless animations cannot be finished.
const END_TRANSITIONS = `new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(() => {
  for (const animation of document.getAnimations()) try { animation.finish(); } catch {}
  next();
})))`;

let stage: ConsoleStage;
let world: ConsoleWorld;
beforeAll(async () => {
  stage = await openConsoleStage();
  world = await createConsoleWorld(stage);
});
afterAll(() => stage?.stop());

// Alternates the language from page to page, since colours and widths hardly depend on it.
const pages = PAGES.map((entry, index) => ({ ...entry, locale: index % 2 === 0 ? 'fr-FR' : 'en-GB' }));

describe('every page of the console', () => {
  test.each(pages)(
    '$name: axe finds nothing serious, nothing scrolls sideways, the console is silent',
    async ({ locale, ...entry }) => {
      // Injects axe outside of the page, so that the real CSP is tested.
      const { page, seen, close } = await openPage(world, entry, { locale, bypassCSP: true });
      await page.evaluate(AXE);
      for (const { colorScheme, viewport } of SCREENS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
        await page.evaluate(END_TRANSITIONS);
        const { violations } = (await page.evaluate("axe.run({ resultTypes: ['violations'] })")) as AxeResults;
        const serious = violations.filter(({ impact }) => !FINE.includes(impact ?? ''));
        expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
      }
      expect(seen.complaints.filter((text) => !/responded with a status of 4/.test(text))).toEqual([]);
      await close();
    },
  );
});
