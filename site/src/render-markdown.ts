import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../../server/src/output-formats/escape-html.ts';
import type { SiteTexts } from './site-texts.ts';

for (const [name, language] of Object.entries({ bash, json, php, python, typescript }))
  hljs.registerLanguage(name, language);
const ALIASES: Record<string, string> = { ts: 'typescript', js: 'typescript', sh: 'bash' };
const NAMES: Record<string, string> = {
  bash: 'Shell',
  json: 'JSON',
  php: 'PHP',
  python: 'Python',
  typescript: 'TypeScript',
};
const SLUG = /^<code>([A-Z][A-Z_]+)<\/code>$/;

export interface RenderOptions {
  texts: SiteTexts;
  /** Anchors of the headings, in their order. */
  anchors: string[];
  resolve: (href: string) => string;
  /** Changes the words of the text, not its code: typography of the language. */
  typeset?: (text: string) => string;
}

/** Text without block structure, such as a description of the contract. */
export const renderInline = (text: string): string => new Marked().parseInline(text, { async: false });

/** Text with paragraphs and lists, without headings. */
export const renderBlocks = (text: string): string => new Marked().parse(text, { async: false });

/** Markdown of a page without its title. */
export function renderMarkdown(markdown: string, { texts, anchors, resolve, typeset }: RenderOptions): string {
  let headings = 0;
  const marked = new Marked({
    walkTokens: (token) => {
      if (typeset && token.type === 'text') token.text = typeset(token.text);
    },
    renderer: {
      heading({ tokens, depth }) {
        const id = anchors[headings++] ?? '';
        if (depth === 1) return ''; // the layout has the title
        return headingHtml(depth, id, this.parser.parseInline(tokens), texts);
      },
      listitem({ tokens, task, checked }) {
        const html = this.parser.parse(tokens);
        if (!task) return `<li>${html}</li>\n`;
        const words = html.replace(/<input[^>]*>/, '');
        return `<li class="task"><label><input type="checkbox"${checked ? ' checked' : ''}>${words}</label></li>\n`;
      },
      code: ({ text, lang }) => codeHtml(text, lang ?? '', texts),
      link({ href, tokens }) {
        return `<a href="${escapeHtml(resolve(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      table({ header, rows }) {
        const inline = (cell: Tokens.TableCell) => this.parser.parseInline(cell.tokens);
        return tableHtml(
          header.map(inline),
          rows.map((cells) => cells.map(inline)),
        );
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

export const headingHtml = (depth: number, id: string, html: string, texts: SiteTexts): string =>
  `<h${depth} id="${escapeHtml(id)}">${html} <a class="anchor" href="#${escapeHtml(id)}" aria-label="${escapeHtml(texts.anchor)}">#</a></h${depth}>\n`;

export function codeHtml(text: string, lang: string, texts: SiteTexts): string {
  const language = ALIASES[lang] ?? lang;
  const known = hljs.getLanguage(language) !== undefined;
  const html = known ? hljs.highlight(text, { language }).value : escapeHtml(text);
  const name = NAMES[language] ?? texts.output;
  return `<figure class="code" data-language="${escapeHtml(language)}"><figcaption>${escapeHtml(name)}</figcaption><pre tabindex="0" aria-label="${escapeHtml(name)}"><code>${html}</code></pre></figure>\n`;
}

/**
 * On a phone each row becomes a block with the column's name before each cell, so tables never scroll sideways. Styles take
 * the native roles of tables away, so the roles are explicit. A row about an error slug can be linked to.
 */
function tableHtml(header: string[], rows: string[][]): string {
  const heads = header.map((html) => `<th role="columnheader" scope="col">${html}</th>`).join('');
  const labels = header.map((html) => escapeHtml(html.replaceAll(/<[^>]+>/g, '')));
  const body = rows.map((cells) => {
    const slug = cells.map((html) => SLUG.exec(html)?.[1]).find((found) => found !== undefined);
    const columns = cells.map((html, i) => {
      const empty = html.trim() === '' ? ' class="empty"' : '';
      return `<td role="cell" data-label="${labels[i] ?? ''}"${empty}>${html}</td>`;
    });
    return `<tr role="row"${slug ? ` id="${slug}"` : ''}>${columns.join('')}</tr>`;
  });
  return `<table role="table" class="columns-${header.length}"><thead role="rowgroup"><tr role="row">${heads}</tr></thead><tbody role="rowgroup">${body.join('\n')}</tbody></table>\n`;
}
