import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestMember } from '../../server/test/dashboard.ts';
import { PAGES, settle } from './pages.ts';
import { DESKTOP, openStage, PHONE, type Stage, type Tab } from './stage.ts';
import { createWorld, type World } from './world.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const FINE = ['minor', 'moderate'];
// Skips colour transitions, whose intermediate colours do not count; endless animations cannot be finished.
const END_TRANSITIONS = `new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(() => {
  for (const animation of document.getAnimations()) try { animation.finish(); } catch {}
  next();
})))`;

let stage: Stage;
let world: World;
beforeAll(async () => {
  stage = await openStage();
  world = await createWorld(stage);
});
afterAll(() => stage?.stop());

const windows = new Map<string, Tab>();
/** One window per member and language, to avoid loading and compiling everything again. */
async function windowOf(member: TestMember | null, locale: string): Promise<Tab> {
  const name = `${member?.id} ${locale}`;
  // Injects axe outside of the page, so that the real CSP is tested.
  const tab = windows.get(name) ?? (await stage.open('/sign-in', member, { locale, bypassCSP: true }));
  windows.set(name, tab);
  tab.seen.complaints.length = 0;
  tab.seen.requests.length = 0;
  return tab;
}

const SCREENS = [
  { colorScheme: 'light', viewport: DESKTOP },
  { colorScheme: 'dark', viewport: PHONE },
] as const;
// Alternates the language from page to page, since colours and widths hardly depend on it.
const pages = PAGES.map((entry, index) => ({ ...entry, locale: index % 2 === 0 ? 'fr-FR' : 'en-GB' }));

describe('every page of the dashboard', () => {
  test.each(pages)(
    '$name: axe finds nothing serious, nothing scrolls sideways, the console is silent',
    async ({ locale, ...entry }) => {
      const path = await entry.path(world);
      const { page, seen } = await windowOf(entry.as ? entry.as(world) : world.owner, locale);
      await page.unrouteAll(); // routes that the previous page made fail
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(DESKTOP);
      await page.goto('about:blank'); // so that a URL that differs in its fragment only is loaded again
      await page.goto(`${stage.server.url}/dashboard${path}`);
      await settle(page, entry);
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
      const elsewhere = seen.requests.filter((url) => /^http/.test(url) && !url.startsWith(stage.server.url));
      expect(elsewhere).toEqual([]);
    },
  );
});
