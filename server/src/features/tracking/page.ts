import { createHash } from 'node:crypto';
import { chooseLanguage, type Language } from '../../http/choose-language.ts';
import { handoverCard, problemCard } from './after-parts.ts';
import { Html, html } from './html.ts';
import {
  code,
  contact,
  deliveryAddress,
  driverCard,
  expected,
  headlineOf,
  hero,
  isOver,
  noteForm,
  pickupQr,
  stepList,
  type View,
  writtenNote,
} from './page-parts.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';
import { WORDS } from './words.ts';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Allows no external resource, and only this inline style and script, by their hashes. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(PAGE_STYLE)}`,
  `script-src ${hashOf(PAGE_SCRIPT)}`,
  "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
].join('; ');

const MARK = new Html(
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#1f4fd8"/><path d="M9 22V10l14 12V10" fill="none" stroke="#fff" stroke-width="3.400" stroke-linecap="round" stroke-linejoin="round"/></svg>',
);
const FAVICON = `data:image/svg+xml,${encodeURIComponent(MARK.text.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"'))}`;

/**
 * The part that changes. `data-every` is the polling interval in seconds; 0 when nothing more can change. `data-note`: the
 * form for the note stays open.
 */
export function liveMarkup(view: View, path: string): string {
  return html`<div data-every="${refreshSeconds(view)}"${view.mayWriteNote && html` data-note`}>
${hero(view)}${view.position && !view.arrival ? [driverCard(view), expected(view)] : [expected(view), view.position && driverCard(view)]}${pickupQr(view)}${code(view)}${view.position ? null : driverCard(view)}${deliveryAddress(view)}${writtenNote(view)}${handoverCard(view, path)}${stepList(view)}${isOver(view.shipment.status) ? problemCard(view, path) : contact(view)}
</div>`.text;
}

export const tagOf = (markup: string) => `"${createHash('sha256').update(markup).digest('base64url').slice(0, 22)}"`;

/** Short while the driver is under way, long before the slot, 0 after the end. */
function refreshSeconds({ shipment: { status, slot }, position }: View): number {
  if (isOver(status)) return 0;
  if (position) return 10;
  return status === 'programmed' && slot ? 120 : 20;
}

interface PageFrame {
  language: Language;
  /** Path of this page, without a query. */
  path: string;
  timeZone: string;
}

/** The whole page in one response: style, script and images are inline. */
export function page(view: View, { language, path, timeZone }: PageFrame): string {
  const { words, time, shipment } = view;
  const live = liveMarkup(view, path);
  const seconds = refreshSeconds(view);
  const state = `${path}/state?lang=${language}`;
  const body = html`<div id="live" data-state="${state}" data-tag="${tagOf(live)}">${new Html(live)}</div>${noteForm(view, path)}
<p id="offline" class="note" role="status" hidden>${words.offline}</p>
<p id="status" class="hidden" role="status"></p>`;
  const foot = html`<p>${words.reference} ${shipment.referenceNumber}</p>
<p>${words.updated} <span id="clock" data-zone="${timeZone}">${time.now}</span></p><p>${view.viewer === 'guest' ? words.shared(shipment.merchantName) : words.personal}</p><p>${words.carriedBy} Navette</p>`;
  const refresh =
    seconds > 0 &&
    html`<noscript><meta http-equiv="refresh" content="${Math.max(seconds, view.mayWriteNote ? 120 : 30)}"></noscript>`;
  const sender = html`<span class="brand">${
    shipment.shop.hasLogo
      ? html`<img src="${path}/logo" alt="${shipment.merchantName}">`
      : html`<span>${shipment.merchantName}</span>`
  }</span>`;
  return frame(language, path, `${headlineOf(view)} · ${shipment.merchantName}`, refresh, body, foot, sender);
}

/** A page with a notice: unknown link, expired link, too many requests, temporary failure. */
export function noticePage(
  notice: keyof (typeof WORDS)['fr']['notices'],
  asked: unknown,
  acceptLanguage: string | undefined,
): string {
  const language = chooseLanguage(asked, acceptLanguage);
  const { title, text } = WORDS[language].notices[notice];
  const body = html`<section class="hero cancelled notice"><h1>${title}</h1><p class="lead">${text}</p></section>`;
  return frame(language, null, `${title} · Navette`, null, body, null);
}

function frame(
  language: Language,
  path: string | null,
  title: string,
  head: Html | null | false,
  body: Html,
  foot: Html | null,
  brand: Html = html`<span class="brand">${MARK}Navette</span>`,
): string {
  const other = language === 'fr' ? 'en' : 'fr';
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow">
<meta name="referrer" content="no-referrer"><meta name="format-detection" content="telephone=no,date=no,address=no">
<meta name="theme-color" content="#f2f4f9" media="(prefers-color-scheme:light)"><meta name="theme-color" content="#0d111a" media="(prefers-color-scheme:dark)">
<link rel="icon" href="${FAVICON}">${head}<style>${new Html(PAGE_STYLE)}</style></head>
<body><div class="wrap"><header>${brand}${
    path &&
    html`<a href="${path}?lang=${other}" hreflang="${other}" lang="${other}">${WORDS[language].otherLanguage}</a>`
  }</header>
<main>${body}</main>${foot && html`<footer>${foot}</footer>`}</div>
${path && html`<script>${new Html(PAGE_SCRIPT)}</script>`}</body></html>
`.text;
}
