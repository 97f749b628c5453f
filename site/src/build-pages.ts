import { buildDriverOpenApi, buildOpenApi } from '@navette/contract';
import { withFrenchSpaces } from '@navette/ui/french-spaces';
import { escapeHtml } from '../../server/src/output-formats/escape-html.ts';
import { eventsHtml } from './events-page.ts';
import { headingSlug } from './heading-slug.ts';
import type { NavigationEntry, PageContent } from './layout.ts';
import { createLinkMap } from './link-map.ts';
import type { OpenApi } from './openapi.ts';
import { readSource } from './read-source.ts';
import { operationsOf, type PlacedOperation, sectionHtml } from './reference-page.ts';
import { renderBlocks, renderInline, renderMarkdown } from './render-markdown.ts';
import { GROUPS, GUIDES, type GuidePage, type Language, urlOf } from './site-pages.ts';
import { TEXTS } from './site-texts.ts';

/** Stands for the address of the installation; the server replaces it when it reads the pages. */
const ADDRESS_MARK = 'https://api.example.org';

const links = createLinkMap();
const MERCHANTS = buildOpenApi(ADDRESS_MARK) as unknown as OpenApi;
const DRIVERS = buildDriverOpenApi(ADDRESS_MARK) as unknown as OpenApi;

const FRENCH_SECTIONS: Record<string, string> = {
  Shipments: 'Envois',
  Account: 'Compte',
  Labels: 'Étiquettes',
  Rates: 'Tarifs',
  Webhooks: 'Webhooks',
  'Test mode': 'Mode test',
};

/** Every page of one language, in the order of the navigation; the first one is the home page. */
export function buildPages(language: Language): PageContent[] {
  const guides = GUIDES.map((page) => guidePage(page, language));
  const position = GUIDES.findIndex(({ group }) => group === 'changes');
  const all = [...guides.slice(0, position), ...referencePages(language), ...guides.slice(position)];
  return [homePage(language, all), ...all];
}

/** Entries of the menu. */
export function navigationOf(language: Language): NavigationEntry[] {
  const guides = GUIDES.map(({ id, group, title }) => ({ id, group, title: title[language] }));
  const reference = referenceSections(language).map(({ id, title }) => ({ id, group: 'reference' as const, title }));
  const order = Object.keys(GROUPS);
  return [...guides, ...reference]
    .toSorted((one, other) => order.indexOf(one.group) - order.indexOf(other.group))
    .map(({ id, group, title }) => ({ id, title, group: GROUPS[group][language] }));
}

function guidePage(page: GuidePage, language: Language): PageContent {
  const { file, markdown, headings } = readSource(page, language);
  const anchors = links.anchorsOf(page);
  const html = renderMarkdown(markdown, {
    texts: TEXTS[language],
    anchors,
    resolve: (href) => links.resolve(file, href, language),
    typeset: (text) => (language === 'fr' && page.french ? withFrenchSpaces(keepUnits(text)) : keepUnits(text)),
  });
  const contents = headings
    .map(({ depth, text }, i) => ({ depth, html: renderInline(text), id: anchors[i] ?? '' }))
    .filter(({ depth }) => depth === 2 || depth === 3);
  return {
    language,
    id: page.id,
    title: page.title[language],
    summary: page.summary[language],
    html,
    contents,
    ...(language === 'fr' && !page.french ? { isEnglishOnly: true } : {}),
  };
}

/** No line break between a number and its unit. */
const keepUnits = (text: string) => text.replaceAll(/(\d) (?=(?:s|ms|kg|cm|EUR|KiB|MiB|Kio|Mio|000)\b)/g, '$1\u00a0');

interface ReferenceSection {
  id: string;
  title: string;
  operations: PlacedOperation[];
}

function referenceSections(language: Language): ReferenceSection[] {
  const operations = operationsOf(MERCHANTS);
  const sections = MERCHANTS.tags.map(({ name }) => ({
    id: `api/${headingSlug(name)}`,
    title: language === 'fr' ? (FRENCH_SECTIONS[name] ?? name) : name,
    operations: operations.filter(({ operation }) => operation.tags.includes(name)),
  }));
  return [...sections, { id: 'api/events', title: TEXTS[language].events, operations: [] }];
}

function referencePages(language: Language): PageContent[] {
  const texts = TEXTS[language];
  const options = { document: MERCHANTS, texts, errorsUrl: urlOf(language, 'errors'), hasTrials: true };
  return referenceSections(language).map(({ id, title, operations }): PageContent => {
    const isEvents = operations.length === 0;
    const html = isEvents ? eventsHtml(options, urlOf(language, 'webhooks')) : sectionHtml(operations, options);
    return { language, id, title, summary: `${texts.reference}: ${title}`, html, contents: contentsOf(html) };
  });
}

const contentsOf = (html: string) =>
  [...html.matchAll(/<h([23]) id="([^"]+)">((?:(?!<\/h\d)[\s\S])*?) <a class="anchor"/g)]
    .filter(([, depth, id = '']) => depth === '2' || id.includes('.'))
    .map(([, depth, id = '', text = '']) => ({ depth: Number(depth), id, html: text }));

/** The drivers' API, at /driver/docs: one page, in English as the contract is. */
export function driverPage(): PageContent {
  const texts = TEXTS.en;
  const html = sectionHtml(operationsOf(DRIVERS), { document: DRIVERS, texts, hasTrials: false });
  const intro = renderBlocks(DRIVERS.info.description);
  return {
    language: 'en',
    id: 'driver',
    title: DRIVERS.info.title,
    summary: texts.referenceSummary,
    html: intro + html,
    contents: contentsOf(html),
    isAlone: true,
  };
}

export function notFoundPage(language: Language): PageContent {
  const { notFound, notFoundText, home } = TEXTS[language];
  const html = `<p>${notFoundText}</p><p><a href="/docs/${language}/">${home}</a></p>`;
  return { language, id: 'not-found', title: notFound, summary: notFoundText, html, contents: [], isAlone: true };
}

function homePage(language: Language, pages: PageContent[]): PageContent {
  const texts = TEXTS[language];
  const titles = new Map(navigationOf(language).map(({ id, group }) => [id, group]));
  const groups = [...new Set(titles.values())].map((group) => {
    const cards = pages
      .filter(({ id }) => titles.get(id) === group)
      .map(
        ({ id, title, summary }) =>
          `<li><a href="${urlOf(language, id)}"><strong>${escapeHtml(title)}</strong>${id.startsWith('api/') ? '' : `<span>${escapeHtml(summary)}</span>`}</a></li>`,
      );
    return `<h2>${escapeHtml(group)}</h2><ul class="cards">${cards.join('')}</ul>`;
  });
  const html = `<div class="hero"><h1>${escapeHtml(texts.tagline)}</h1><p>${escapeHtml(texts.lead)}</p><p><a class="primary" href="${urlOf(language, 'quick-start')}">${escapeHtml(GUIDES[0]?.title[language] ?? '')}</a></p></div>${groups.join('\n')}`;
  return { language, id: '', title: 'Navette', summary: texts.lead, html, contents: [] };
}
