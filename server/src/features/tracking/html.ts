import { escapeHtml } from '../../output-formats/escape-html.ts';

/** Markup built by `html`. Everything else is escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | null | false | Part[];

/** A template that escapes its values; `null` and `false` produce no text. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((text, string, i) => text + write(parts[i - 1] ?? null) + string));
}

function write(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(write).join('') : escapeHtml(String(part));
}
