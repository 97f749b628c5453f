import { readFileSync } from 'node:fs';
import { Lexer, type Token } from 'marked';
import { headingSlug } from './heading-slug.ts';
import type { GuidePage, Language } from './site-pages.ts';

const ROOT = new URL('../../', import.meta.url);

/** Parts for readers of the repository only: commands of the operator, links to files that the site does not have. */
const REPOSITORY_ONLY = /<!-- repository only -->[\s\S]*?<!-- \/repository only -->\n?/g;
const COMMENT = /<!--[\s\S]*?-->\n?/g;

export interface Heading {
  depth: number;
  text: string;
  slug: string;
}

export interface SourceText {
  file: string;
  markdown: string;
  headings: Heading[];
}

const fileOf = (page: GuidePage, language: Language): string =>
  language === 'fr' && page.french ? page.french : page.source.file;

export function readSource(page: GuidePage, language: Language): SourceText {
  const file = fileOf(page, language);
  const whole = readFileSync(new URL(file, ROOT), 'utf8').replaceAll(REPOSITORY_ONLY, '').replaceAll(COMMENT, '');
  const { section, without } = page.source;
  let markdown = whole;
  if (section !== undefined) markdown = liftHeadings(sectionOf(whole, section));
  if (without !== undefined) markdown = whole.replace(sectionOf(whole, without), '');
  return { file, markdown, headings: headingsOf(markdown) };
}

/** A heading of the second level and everything up to the next one. */
function sectionOf(markdown: string, title: string): string {
  let found = '';
  let isInside = false;
  for (const token of Lexer.lex(markdown)) {
    if (token.type === 'heading' && token.depth <= 2) isInside = token.text === title;
    if (isInside) found += token.raw;
  }
  if (found === '') throw new Error(`no section "${title}"`);
  return found;
}

const liftHeadings = (markdown: string): string =>
  Lexer.lex(markdown)
    .map(({ type, raw }) => (type === 'heading' ? raw.replace('#', '') : raw))
    .join('');

function headingsOf(markdown: string): Heading[] {
  const used = new Map<string, number>();
  return Lexer.lex(markdown)
    .filter((token: Token) => token.type === 'heading')
    .map((token) => {
      const { depth, text } = token as { depth: number; text: string } & Token;
      const slug = headingSlug(text);
      const times = used.get(slug) ?? 0;
      used.set(slug, times + 1);
      return { depth, text, slug: times === 0 ? slug : `${slug}-${times}` };
    });
}

/** Code blocks in the order of the page. */
export const codeBlocksOf = (markdown: string): { language: string; text: string }[] =>
  Lexer.lex(markdown).flatMap((token) =>
    token.type === 'code' ? [{ language: (token.lang as string | undefined) ?? '', text: token.text as string }] : [],
  );
