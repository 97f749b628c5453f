import { dirname, join } from 'node:path/posix';
import { readSource } from './read-source.ts';
import { DOWNLOADS, GUIDES, type GuidePage, LANGUAGES, type Language, urlOf } from './site-pages.ts';

/** A link of a page that leads nowhere on the site. */
export class DeadLink extends Error {}

interface Target {
  page: GuidePage;
  /** The anchor on the site. */
  id: string;
}

export interface LinkMap {
  /** The address on the site of a link in a file of the repository. */
  resolve: (fromFile: string, href: string, language: Language) => string;
  /** Anchors of a page's headings, in their order: those of the English page, in both languages. */
  anchorsOf: (page: GuidePage) => string[];
}

/**
 * Translates links between files into links between pages. Headings have the anchors of the English page in both languages, so
 * that a link works in either of them. A section that became a page of its own is found under its heading.
 */
export function createLinkMap(pages: GuidePage[] = GUIDES): LinkMap {
  const anchors = new Map<GuidePage, string[]>();
  const headings = new Map<string, Target>(); // by file#slug
  const firstPages = new Map<string, GuidePage>(); // by file
  for (const page of pages) {
    anchors.set(
      page,
      readSource(page, 'en').headings.map(({ slug }) => slug),
    );
    for (const language of LANGUAGES) {
      const { file, headings: own } = readSource(page, language);
      if (!firstPages.has(file)) firstPages.set(file, page);
      for (const [i, { slug, depth }] of own.entries()) {
        const id = depth === 1 ? '' : (anchors.get(page)?.[i] ?? slug); // the title is the top of the page
        headings.set(`${file}#${slug}`, { page, id });
      }
    }
  }

  function resolve(fromFile: string, href: string, language: Language): string {
    if (/^(https?:|mailto:|\/)/.test(href)) return href;
    const [path = '', slug] = href.split('#');
    const file = path === '' ? fromFile : join(dirname(fromFile), path);
    const download = DOWNLOADS[file];
    if (download) return `/docs/files/${download}`;
    const target = slug === undefined ? { page: firstPages.get(file), id: '' } : headings.get(`${file}#${slug}`);
    if (!target?.page) throw new DeadLink(`${fromFile}: ${href}`);
    return urlOf(language, target.page.id) + (target.id ? `#${target.id}` : '');
  }

  return { resolve, anchorsOf: (page) => anchors.get(page) ?? [] };
}
