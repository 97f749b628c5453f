import { escapeHtml } from './escape-html.ts';

/** Characters that XML 1.0 does not allow, also not as references. */
const NOT_IN_XML = /(?![\t\n\r])\p{Cc}|[\u{fffe}\u{ffff}]|\p{Cs}/gu;

/** For text content and quoted attributes. */
export const escapeXml = (text: string): string => escapeHtml(text.replace(NOT_IN_XML, ''));
