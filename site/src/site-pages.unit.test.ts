import { describe, expect, test } from 'vitest';
import { buildPages, driverPage, notFoundPage } from './build-pages.ts';
import type { PageContent } from './layout.ts';
import { createLinkMap, DeadLink } from './link-map.ts';
import { codeBlocksOf, readSource } from './read-source.ts';
import { DOWNLOADS, GUIDES, LANGUAGES, urlOf } from './site-pages.ts';

const pages = LANGUAGES.flatMap((language) => buildPages(language));
const translated = GUIDES.filter(({ french }) => french !== undefined);

describe('the two languages', () => {
  test('have the same pages', () => {
    const [english, french] = LANGUAGES.map((language) => buildPages(language).map(({ id }) => id));
    expect(french).toEqual(english);
  });

  test.each(translated)('$id has the same headings in both, by number and depth', (page) => {
    const [english, french] = [readSource(page, 'en'), readSource(page, 'fr')];
    expect(french.headings.map(({ depth }) => depth)).toEqual(english.headings.map(({ depth }) => depth));
  });

  test.each(translated)('$id has the same code in both', (page) => {
    const [english, french] = [readSource(page, 'en'), readSource(page, 'fr')];
    expect(codeBlocksOf(french.markdown)).toEqual(codeBlocksOf(english.markdown));
  });

  test('the pages that merchants need first exist in French', () => {
    const first = ['quick-start', 'idempotency', 'errors', 'webhooks', 'test-mode', 'going-live'];
    expect(translated.map(({ id }) => id)).toEqual(expect.arrayContaining(first));
  });
});

describe('links', () => {
  const idsOf = ({ html }: PageContent) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  const targets = new Map<string, string[]>(
    pages.map((page) => [
      page.id === '' ? `/docs/${page.language}/` : urlOf(page.language, page.id),
      idsOf(page) as string[],
    ]),
  );
  const elsewhere = [...Object.values(DOWNLOADS).map((name) => `/docs/files/${name}`)];

  function isDead(from: PageContent, href: string): boolean {
    if (/^(https?|mailto):/.test(href) || elsewhere.includes(href)) return false;
    const [path = '', anchor] = href.split('#');
    const ids = path === '' ? idsOf(from) : targets.get(path);
    return !ids || (anchor !== undefined && !ids.includes(decodeURIComponent(anchor)));
  }

  test.each([...pages, driverPage(), ...LANGUAGES.map(notFoundPage)])(
    'of $language/$id lead to a page and an anchor that exist',
    (page) => {
      const hrefs = [...page.html.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href);
      const contents = page.contents.map(({ id }) => `#${id}`);
      expect([...hrefs, ...contents].filter((href) => isDead(page, href))).toEqual([]);
    },
  );

  test.each([...pages, driverPage()])('$language/$id has no anchor twice', (page) => {
    const ids = idsOf(page);
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([]);
  });

  test('a link to a file or heading that the site does not have fails the build', () => {
    const { resolve } = createLinkMap();
    for (const href of ['console.md', '../README.md#five-minutes', 'webhooks.md#nothing', '#nothing'])
      expect(() => resolve('docs/quick-start.md', href, 'en'), href).toThrow(DeadLink);
  });

  test('lead to the same section in either language, and to a section that became a page', () => {
    const { resolve } = createLinkMap();
    expect(resolve('docs/test-mode.md', 'webhooks.md#respond', 'fr')).toBe('/docs/fr/webhooks#respond');
    expect(resolve('docs/fr/test-mode.md', 'webhooks.md#répondre', 'fr')).toBe('/docs/fr/webhooks#respond');
    expect(resolve('docs/webhooks.md', '../sdk/README.md#php', 'en')).toBe('/docs/en/php');
    expect(resolve('sdk/README.md', 'php/Navette.php', 'en')).toBe('/docs/files/Navette.php');
  });
});

describe('a page', () => {
  test.each(pages)('$language/$id loads nothing and runs nothing of its own', ({ html }) => {
    expect(html).not.toMatch(/<script|<style| style="| on\w+="|<img|<iframe|javascript:/i);
  });

  test.each(GUIDES)('$id says nothing about the repository', (page) => {
    for (const language of LANGUAGES) {
      const { markdown } = readSource(page, language);
      expect(markdown).not.toMatch(/npm run|npx navette |repository only|README\.md\]/);
    }
  });
});
