import { readFileSync } from 'node:fs';

interface Snippet {
  language: string;
  text: string;
}

/** A line that a page shows; `…` in it stands for any text. */
export const linePattern = (line: string): RegExp =>
  new RegExp(`^${line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*')}$`);

/** A page of the documentation whose snippets a test runs, such as `docs/webhooks.md`. */
export function readGuide(path: string) {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const snippets = [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(
    ([, language = '', code = '']): Snippet => ({ language, text: code }),
  );
  return {
    text,
    /** All of the page, in its order. */
    snippets,
    /** The first snippet of the language that contains the word. */
    snippet: (language: string, about: string): string => {
      const found = snippets.find((one) => one.language === language && one.text.includes(about));
      if (!found) throw new Error(`${path} has no ${language} about ${about}`);
      return found.text;
    },
  };
}
