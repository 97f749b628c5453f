import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
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

const MOST_STOPS = 300;
/** The element with the focus: a number of its own, and whether a person sees it, or the label that stands for it. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  globalThis.focusStops ??= [];
  if (!globalThis.focusStops.includes(element)) globalThis.focusStops.push(element);
  const isSeen = [element, ...(element.labels ?? [])].some((one) => one.checkVisibility({ visibilityProperty: true }));
  return { stop: globalThis.focusStops.indexOf(element), isSeen, html: element.outerHTML.slice(0, 150) };
})()`;
/** Buttons, links and fields of the page that Tab did not reach, except those it leaves out by their `tabindex`. */
const MISSED = `(scope) => [...document.querySelectorAll(scope + ' :is(a[href], button, input, select, textarea)')]
  .filter((one) => one.tabIndex >= 0 && !one.disabled && one.type !== 'radio' && one.checkVisibility({ visibilityProperty: true }))
  .filter((one) => !globalThis.focusStops.includes(one))
  .map((one) => one.outerHTML.slice(0, 150))`;
interface Focused {
  stop: number;
  isSeen: boolean;
  html: string;
}

/** Presses Tab until the focus is back where it began. At the end of a page it leaves the document once. */
async function walk(page: Page): Promise<Focused[]> {
  const stops: Focused[] = [];
  for (let presses = 0; presses < MOST_STOPS; presses++) {
    await page.keyboard.press('Tab');
    const focused = (await page.evaluate(FOCUSED)) as Focused | null;
    if (!focused || focused.stop === stops.at(-1)?.stop) continue; // the day, month and year of one date field
    if (stops.some(({ stop }) => stop === focused.stop)) break;
    stops.push(focused);
  }
  return stops;
}

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
    '$name: axe finds nothing serious, Tab reaches every control, nothing scrolls sideways, the console is silent',
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
      await page.setViewportSize(DESKTOP);
      const stops = await walk(page);
      expect(stops.filter(({ isSeen }) => !isSeen)).toEqual([]);
      expect(stops.length).toBeGreaterThan(0);
      expect(stops.length).toBeLessThan(MOST_STOPS); // no trap, and an end
      const scope = (await page.getByRole('dialog').count()) > 0 ? '[role=dialog]' : 'main';
      const missed = (await page.evaluate(`(${MISSED})('${scope}')`)) as string[];
      expect(missed).toEqual([]);
      expect(seen.complaints.filter((text) => !/responded with a status of 4/.test(text))).toEqual([]);
      await close();
    },
  );
});
