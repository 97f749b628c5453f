import type { Language } from '@navette/contract';
import { escapeHtml } from './escape-html.ts';

export interface EmailContent {
  preview: string;
  heading: string;
  paragraphs: string[];
  /** The fact that most readers look for, below the heading. */
  highlight?: { label: string; value: string };
  /** Shown on a white background in dark mode too, so that a QR code can be scanned. */
  picture?: { name: string; alt: string; caption: string };
  button: { label: string; link: string };
  small: string[];
}

export interface Email {
  subject: string;
  text: string;
  html: string;
}

/** An e-mail as plain text and as HTML, with tables and inline styles because mail clients support little else. */
export function layOutEmail(subject: string, content: EmailContent, language: Language = 'fr'): Email {
  return { subject, text: asText(content, language), html: asHtml(subject, content, language) };
}

function asText({ heading, highlight, paragraphs, picture, button, small }: EmailContent, language: Language): string {
  const colon = language === 'fr' ? ' :' : ':';
  const fact = highlight ? [`${highlight.label}${colon} ${highlight.value}`] : [];
  const lines = [heading, ...fact, ...paragraphs, ...(picture ? [`[${picture.alt}] ${picture.caption}`] : [])];
  return [...lines, `${button.label}${colon} ${button.link}`, ...small, '-- \nNavette'].join('\n\n');
}

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** French punctuation after a space stays on the line of its word. */
const keepWithWord = (text: string) => text.replaceAll(/ (?=[:;?!»])/g, '\u00a0').replaceAll('« ', '«\u00a0');

function asHtml(
  subject: string,
  { preview, heading, highlight, paragraphs, picture, button, small }: EmailContent,
  language: Language,
): string {
  const e = (text: string) => escapeHtml(language === 'fr' ? keepWithWord(text) : text);
  const fact = highlight
    ? `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 20px"><tr><td class="tint" style="background:#eef3ff;border-radius:14px;padding:14px 18px">
<p class="soft" style="margin:0 0 2px;font-size:13px;line-height:18px;color:#5a6477">${e(highlight.label)}</p>
<p class="ink" style="margin:0;font-size:20px;line-height:27px;font-weight:650;letter-spacing:-.2px;color:#1d2433">${e(highlight.value)}</p></td></tr></table>\n`
    : '';
  const paragraph = (text: string) =>
    `<p class="ink" style="margin:0 0 16px;font-size:16px;line-height:24px;color:#1d2433">${e(text)}</p>`;
  const qr = picture
    ? `<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:8px 0 24px">
<table role="presentation" cellpadding="0" cellspacing="0"><tr><td bgcolor="#ffffff" style="background:#ffffff;padding:12px;border-radius:16px;border:1px solid #dfe3ec">
<img src="cid:${e(picture.name)}" width="232" height="232" alt="${e(picture.alt)}" style="display:block;width:232px;height:232px;font-size:14px;color:#1d2433;image-rendering:pixelated"></td></tr></table>
<p class="soft" style="margin:12px 0 0;font-size:14px;line-height:20px;color:#5a6477">${e(picture.caption)}</p></td></tr></table>`
    : '';
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${e(subject)}</title>
<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){.back{background:#10141c!important}.card{background:#1a202c!important;border-color:#2b3445!important}
.ink{color:#eef1f7!important}.soft{color:#a9b3c6!important}.tint{background:#232c3f!important}.rule{border-color:#2b3445!important}}
</style></head>
<body class="back" style="margin:0;padding:0;background:#f3f5f9;${FONT}">
<div style="display:none;max-height:0;overflow:hidden">${e(preview)}</div>
<table role="presentation" class="back" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f9"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px">
<tr><td class="ink" style="padding:0 8px 16px;font-size:18px;font-weight:700;letter-spacing:-.2px;color:#1d2433"><span style="display:inline-block;width:26px;height:26px;margin-right:8px;border-radius:8px;background:#1f4fd8;color:#ffffff;font-size:15px;line-height:26px;text-align:center">N</span>Navette</td></tr>
<tr><td class="card" style="background:#ffffff;border:1px solid #e4e8f0;border-radius:20px;padding:32px 28px">
<h1 class="ink" style="margin:0 0 16px;font-size:24px;line-height:30px;letter-spacing:-.4px;color:#1d2433">${e(heading)}</h1>
${fact}${paragraphs.map(paragraph).join('\n')}
${qr}<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" bgcolor="#1f4fd8" style="background:#1f4fd8;border-radius:14px">
<a href="${e(button.link)}" style="display:block;padding:16px 24px;font-size:17px;line-height:22px;font-weight:600;color:#ffffff;text-decoration:none">${e(button.label)}</a></td></tr></table>
</td></tr>
<tr><td style="padding:20px 8px 0">${small.map((text) => `<p class="soft" style="margin:0 0 8px;font-size:13px;line-height:19px;color:#5a6477">${e(text)}</p>`).join('\n')}</td></tr>
</table></td></tr></table></body></html>
`;
}
