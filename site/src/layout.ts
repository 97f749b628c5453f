import { escapeHtml } from '../../server/src/output-formats/escape-html.ts';
import { LANGUAGES, type Language, urlOf } from './site-pages.ts';
import { TEXTS } from './site-texts.ts';

/** Addresses of the built files, whose names contain a hash of the content. */
export interface Assets {
  style: string;
  script: string;
  theme: string;
  icon: string;
  searchIndex: Record<Language, string>;
}

export interface NavigationEntry {
  /** Of its group in the menu. */
  group: string;
  title: string;
  id: string;
}

export interface PageContent {
  language: Language;
  id: string;
  title: string;
  summary: string;
  /** HTML below the title. */
  html: string;
  contents: { id: string; html: string; depth: number }[];
  /** The text is in English although the page is of the French site. */
  isEnglishOnly?: boolean;
  /** Without menu, search and neighbours: a page that is not of the merchants' site. */
  isAlone?: boolean;
}

const SVG = (paths: string) =>
  `<svg viewBox="0 0 24 24" width="20" height="20" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`;
const ICONS = {
  menu: SVG('<path d="M4 7h16M4 12h16M4 17h16"/>'),
  search: SVG('<circle cx="11" cy="11" r="6.5"/><path d="m20 20-4.2-4.2"/>'),
  theme: SVG('<circle cx="12" cy="12" r="8.5"/><path d="M12 3.5a8.5 8.5 0 0 1 0 17z" fill="currentColor"/>'),
};

/** A whole page. Nothing of it needs JavaScript except search, copy buttons, the colour switch and trial requests. */
export function pageHtml(page: PageContent, assets: Assets, navigation: NavigationEntry[]): string {
  const { language, id, title, summary, html, isEnglishOnly, isAlone } = page;
  const texts = TEXTS[language];
  const other = LANGUAGES.find((one) => one !== language) ?? 'en';
  const heading = id === '' ? '' : `<h1${isEnglishOnly ? ' lang="en"' : ''}>${escapeHtml(title)}</h1>`;
  const note = isEnglishOnly ? `<p class="note">${texts.englishOnly}</p>` : '';
  const content = isEnglishOnly ? `<div lang="en">${html}</div>` : html;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escapeHtml(summary)}">
<title>${escapeHtml(id === '' ? `Navette – ${texts.documentation}` : `${title} – Navette`)}</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${assets.style}">
${isAlone ? '' : `<link rel="alternate" hreflang="${other}" href="${urlOf(other, id)}">\n`}<script src="${assets.theme}"></script>
<script type="module" src="${assets.script}"></script>
</head>
<body data-texts="${escapeHtml(JSON.stringify(clientTexts(language)))}" data-search="${assets.searchIndex[language]}">
<a class="skip" href="#content">${texts.skip}</a>
${headerHtml(page, other, assets)}
<div class="frame${isAlone ? ' alone' : ''}">
${isAlone ? '' : menuHtml(page, navigation)}
<main id="content" tabindex="-1">
<article${id === '' ? ' class="home"' : ''}>
${heading}${note}
${contentsHtml(page)}
${content}
</article>
${isAlone ? '' : neighboursHtml(page, navigation)}
</main>
</div>
</body>
</html>
`;
}

function headerHtml({ language, id, isAlone }: PageContent, other: Language, { icon }: Assets): string {
  const texts = TEXTS[language];
  const searchButton = `<button type="button" class="search-button needs-script" aria-label="${texts.search}" aria-keyshortcuts="/ Control+K">${ICONS.search}<span>${texts.search}</span><kbd>/</kbd></button>`;
  const menuButton = `<button type="button" class="menu-button icon-button" popovertarget="menu" aria-label="${texts.menu}">${ICONS.menu}</button>`;
  return `<header class="top">
${isAlone ? '' : menuButton}
<a class="brand" href="/docs/${language}/"><img src="${icon}" alt="" width="28" height="28"><span>Navette <span class="brand-part">${texts.documentation}</span></span></a>
<div class="top-tools">
${isAlone ? '' : searchButton}
${isAlone ? '' : `<a class="top-link" href="${urlOf(other, id)}" hreflang="${other}" lang="${other}">${texts.otherLanguage}</a>`}
<a class="top-link wide-only" href="/dashboard/">${texts.dashboard}</a>
<button type="button" class="icon-button needs-script theme-button" aria-label="${texts.lightOrDark}" title="${texts.lightOrDark}">${ICONS.theme}</button>
</div>
</header>`;
}

function menuHtml({ language, id }: PageContent, navigation: NavigationEntry[]): string {
  const texts = TEXTS[language];
  const groups = [...new Set(navigation.map(({ group }) => group))].map((group) => {
    const links = navigation
      .filter((entry) => entry.group === group)
      .map((entry) => {
        const current = entry.id === id ? ' aria-current="page"' : '';
        return `<li><a href="${urlOf(language, entry.id)}"${current}>${escapeHtml(entry.title)}</a></li>`;
      });
    return `<p class="group">${escapeHtml(group)}</p><ul>${links.join('')}</ul>`;
  });
  return `<nav id="menu" class="menu" popover aria-label="${texts.sections}">${groups.join('\n')}</nav>`;
}

function contentsHtml({ language, contents }: PageContent): string {
  if (contents.length < 2) return '';
  const items = contents.map(
    ({ id, html, depth }) => `<li class="depth-${depth}"><a href="#${escapeHtml(id)}">${html}</a></li>`,
  );
  const title = TEXTS[language].onThisPage;
  return `<nav class="contents" aria-label="${title}"><details><summary>${title}</summary><ul>${items.join('')}</ul></details></nav>`;
}

function neighboursHtml({ language, id }: PageContent, navigation: NavigationEntry[]): string {
  const texts = TEXTS[language];
  const position = navigation.findIndex((entry) => entry.id === id);
  const link = (entry: NavigationEntry | undefined, label: string, kind: string) =>
    entry
      ? `<a class="${kind}" rel="${kind}" href="${urlOf(language, entry.id)}"><span>${label}</span>${escapeHtml(entry.title)}</a>`
      : '';
  const [previous, next] = [navigation[position - 1], navigation[position + 1]];
  if (!previous && !next) return '';
  return `<nav class="neighbours" aria-label="${texts.previous}, ${texts.next}">${link(previous, texts.previous, 'prev')}${link(next, texts.next, 'next')}</nav>`;
}

/** The texts that the page's script shows. */
function clientTexts(language: Language): Record<string, string> {
  const texts = TEXTS[language];
  const { search, searchHint, searchNone, searchCount, searchKeys, copy, copied } = texts;
  const { tryNeedsKey, tryOnlyTest, tryBadJson, tryMissing, tryFailed, tryFile } = texts;
  const found = { search, searchHint, searchNone, searchCount, searchKeys, copy, copied };
  return { ...found, tryNeedsKey, tryOnlyTest, tryBadJson, tryMissing, tryFailed, tryFile };
}
