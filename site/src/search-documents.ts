/** One entry of the search: a section of a page. */
export interface SearchDocument {
  id: number;
  /** Of the page. */
  page: string;
  /** Of the section; empty for the beginning of the page. */
  title: string;
  url: string;
  text: string;
}

const MOST_CHARACTERS = 3_000; // of one section: fields of a long answer are found by their operation's first ones

/** Splits the HTML of a page at its headings with an anchor. */
export function searchDocumentsOf(page: string, url: string, html: string): Omit<SearchDocument, 'id'>[] {
  const parts = html.split(/<h[23] id="([^"]+)">([\s\S]*?)<\/h[23]>/);
  const documents = [{ page, title: '', url, text: textOf(parts[0] ?? '') }];
  for (let i = 1; i < parts.length; i += 3) {
    const [anchor = '', heading = '', content = ''] = parts.slice(i, i + 3);
    const title = textOf(heading).replace(/ #$/, '');
    documents.push({ page, title, url: `${url}#${anchor}`, text: textOf(content) });
  }
  return documents;
}

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&#x27;': "'",
  '&amp;': '&',
};

export const textOf = (html: string): string =>
  html
    .replaceAll(/<form[\s\S]*?<\/form>/g, ' ')
    .replaceAll(/<wbr>/g, '')
    .replaceAll(/<\/(?:p|li|h\d|td|th|tr|summary|figure|figcaption|pre|div)>/g, ' ')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(?:lt|gt|quot|#39|#x27|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_CHARACTERS);
