import { oneLine } from '../../../pdf/drawable-text.ts';
import { fitText, shorten, type TextBlock } from '../../../pdf/text-block.ts';
import type { Label, Place } from '../label.ts';
import type { LabelSheet } from './codes.ts';
import { dayInWords, serviceOf, weightInWords } from './label-words.ts';
import { PAGE } from './page-size.ts';

const MARGIN = 4;
const LEFT = MARGIN;
const RIGHT = PAGE.width - MARGIN;
const WIDTH = RIGHT - LEFT;
const HEADER = { top: 4, height: 13 };
const SENDER = { top: 18.5, height: 17 };
const CODES = { top: 116.5, height: 29.5 };
const QR_SIZE = 25.2; // 21 modules of 1.2 mm

/**
 * One label on one page, in millimetres from the top left corner: sender (small), recipient (large), town (largest),
 * contents, and the reference for people and scanners. Black on white only: thermal printers have no grey. Long texts
 * get smaller and take more lines; only notes may be cut.
 */
export function drawLabel(sheet: LabelSheet, label: Label): void {
  drawHeader(sheet, label);
  drawSender(sheet, label);
  const notes = notesBlock(label);
  const facts = { top: CODES.top - 1.5 - (notes ? notes.height + 5.5 : 0) - 10.5, height: 10.5 };
  const recipient = { top: SENDER.top + SENDER.height, bottom: facts.top - 1 };
  drawRecipient(sheet, label, recipient.top, recipient.bottom - recipient.top);
  drawFacts(sheet, label, facts.top, facts.height);
  if (notes) drawNotes(sheet, notes, facts.top + facts.height);
  drawCodes(sheet, label.referenceNumber);
  if (label.isCancelled) drawCancellation(sheet, recipient.bottom);
}

/** The service in white on black, readable from a distance. A collection is marked first. */
function drawHeader(sheet: LabelSheet, label: Label): void {
  const { top, height } = HEADER;
  if (label.isCollection) {
    sheet.text('NAVETTE', LEFT, top - 0.8, { weight: 'bold', size: 5 });
    sheet.fillBox(LEFT, top + 5.4, 38, height - 5.4);
    const banner = fitText('COLLECTE', 'bold', [5.6], 38, height);
    sheet.block(banner, LEFT, top + 5.9, { width: 38, align: 'center', white: true });
  } else {
    sheet.text('NAVETTE', LEFT, top + 1.2, { weight: 'bold', size: 6.2 });
    sheet.text('Livraison', LEFT, top + 8.4, { size: 2.9 });
  }
  const { title, detail } = serviceOf(label.service);
  const left = 46;
  sheet.fillBox(left, top, RIGHT - left, height);
  const width = RIGHT - left - 4;
  const heading = fitText(title, 'bold', [7, 6, 5, 4, 3, 2.4], width, detail ? 8 : height - 2);
  const used = heading.height + (detail ? 3.9 : 0);
  const start = top + (height - used) / 2;
  sheet.block(heading, left + 2, start, { width, align: 'center', white: true });
  if (detail) {
    const line = fitText(detail, 'bold', [3.4, 2.8], width, 4);
    sheet.block(line, left + 2, start + heading.height - 0.2, { width, align: 'center', white: true });
  }
}

/** Where the parcel comes from, and the merchant's own order number. */
function drawSender(sheet: LabelSheet, label: Label): void {
  const { top, height } = SENDER;
  const { sender, orderId, createdOn } = label;
  const column = 56;
  sheet.caption(label.isCollection ? 'Enlèvement chez' : 'Expéditeur', LEFT, top);
  drawPlace(sheet, sender, top + 3.2, column, height - 4.4);
  const right = LEFT + column + 3;
  sheet.caption('Créé le', right, top);
  sheet.text(dayInWords(createdOn), right, top + 3.2, { size: 2.9 });
  if (orderId) {
    sheet.caption('Commande', right, top + 7.6);
    const number = fitText(orderId, 'bold', [3.2, 2.7, 2.2, 1.8], RIGHT - right, 5);
    sheet.block(shorten(number, 5), right, top + 10.6, { width: RIGHT - right });
  }
  sheet.line(LEFT, top + height - 0.8, RIGHT, top + height - 0.8, 0.3);
}

function drawPlace(sheet: LabelSheet, place: Place, top: number, width: number, height: number): void {
  const town = `${place.postalCode} ${place.city}${isInFrance(place) ? '' : `, ${place.country}`}`;
  const fields = [
    { text: place.name, weight: 'bold', size: 3.3 },
    { text: place.street, weight: 'regular', size: 3 },
    { text: town, weight: 'regular', size: 3 },
  ] as const;
  stack(sheet, [...fields], LEFT, top, width, height);
}

function drawRecipient(sheet: LabelSheet, { recipient, isCollection }: Label, top: number, height: number): void {
  sheet.caption(isCollection ? 'À livrer à' : 'Destinataire', LEFT, top);
  const fields: Field[] = [
    { text: recipient.name, weight: 'bold', size: 6.4 },
    { text: recipient.street, weight: 'regular', size: 5.2, before: 0.6 },
    { text: recipient.postalCode, weight: 'bold', size: 13.5, before: 1.4 },
    { text: recipient.city, weight: 'bold', size: 9.5 },
    ...(isInFrance(recipient) ? [] : [{ text: recipient.country, weight: 'bold', size: 5 } as const]),
    { text: `Tél. ${recipient.phoneNumber}`, weight: 'regular', size: 4.2, before: 1 },
  ];
  stack(sheet, fields, LEFT, top + 3.6, WIDTH, height - 4);
}

interface Field {
  text: string;
  weight: 'regular' | 'bold';
  size: number;
  /** Space above. */
  before?: number;
}

const SMALLEST_SCALE = 0.16;

/** Stacks the fields and scales them together until they fit, so that relative sizes stay. */
function stack(sheet: LabelSheet, fields: Field[], left: number, top: number, width: number, height: number): void {
  const shown = fields.filter(({ text }) => text.trim() !== '');
  let blocks: TextBlock[] = [];
  for (let scale = 1; scale > SMALLEST_SCALE; scale *= 0.94) {
    blocks = shown.map(({ text, weight, size }) => {
      const sizes = [1, 0.9, 0.8, 0.7, 0.6].map((factor) => size * scale * factor);
      return fitText(text, weight, sizes, width, height); // a field whose longest word is too wide shrinks on its own
    });
    const used = blocks.reduce((sum, block, i) => sum + block.height + (shown[i]?.before ?? 0) * scale, 0);
    if (used <= height) break;
  }
  let y = top;
  for (const [i, block] of blocks.entries()) {
    const { text, before = 0 } = shown[i] as Field;
    y += before * (block.size / (shown[i] as Field).size);
    sheet.block(block, left, y, { width, actual: actualText(text, block) });
    y += block.height;
  }
}

const RIGHT_TO_LEFT = /[\u{590}-\u{8ff}\u{fb1d}-\u{fdff}\u{fe70}-\u{fefc}]/u;

/**
 * The original text, where the drawn lines differ from it: a word was cut, or a script transliterated. PDF readers
 * reorder right-to-left text themselves.
 */
function actualText(text: string, { lines }: TextBlock): string | undefined {
  const original = oneLine(text);
  return original === lines.join(' ') || RIGHT_TO_LEFT.test(original) ? undefined : original;
}

/** Weight and nature in a ruled row. */
function drawFacts(sheet: LabelSheet, { weight, nature }: Label, top: number, height: number): void {
  const split = LEFT + 30;
  sheet.line(LEFT, top, RIGHT, top, 0.3);
  sheet.line(LEFT, top + height, RIGHT, top + height, 0.3);
  sheet.line(split, top, split, top + height, 0.3);
  sheet.caption('Poids', LEFT, top + 0.9);
  sheet.block(fitText(weightInWords(weight), 'bold', [4.6, 3.6, 2.8], 28, 6), LEFT, top + 4.2, { width: 28 });
  sheet.caption('Contenu', split + 2, top + 0.9);
  const width = RIGHT - split - 2;
  const content = shorten(fitText(nature, 'regular', [3.6, 3.1, 2.6, 2.2], width, 6.2), 6.2);
  sheet.block(content, split + 2, top + 4, { width });
}

const MOST_NOTES = 14;

function notesBlock({ notes }: Label): TextBlock | null {
  if (!notes?.trim()) return null;
  const fitted = fitText(notes, 'regular', [3.4, 3, 2.6, 2.3], WIDTH, MOST_NOTES);
  return fitted.lines.length === 0 ? null : shorten(fitted, MOST_NOTES);
}

function drawNotes(sheet: LabelSheet, notes: TextBlock, top: number): void {
  sheet.caption('Consignes', LEFT, top + 1);
  sheet.block(notes, LEFT, top + 4, { width: WIDTH });
}

function drawCodes(sheet: LabelSheet, referenceNumber: string): void {
  const { top, height } = CODES;
  sheet.line(LEFT, top - 1.5, RIGHT, top - 1.5, 0.6);
  const width = WIDTH - QR_SIZE - 7;
  sheet.code128(referenceNumber, LEFT + 1, top + 1, width, 18);
  const reference = fitText(referenceNumber, 'bold', [6.6], width, height);
  sheet.block(reference, LEFT + 1, top + 20.6, { width, align: 'center' });
  sheet.qr(referenceNumber, RIGHT - QR_SIZE - 1, top + (height - QR_SIZE) / 2 - 1, QR_SIZE);
}

/** Covers the addresses but not the codes: the depot must still be able to scan the parcel. */
function drawCancellation(sheet: LabelSheet, bottom: number): void {
  sheet.line(LEFT, HEADER.top, RIGHT, bottom, 1.6);
  sheet.line(LEFT, bottom, RIGHT, HEADER.top, 1.6);
  const height = 15;
  const y = (HEADER.top + bottom) / 2 - height / 2;
  const banner = fitText('ANNULÉ', 'bold', [11], 60, height);
  sheet.clearBox(18, y - 1, PAGE.width - 36, height + 2);
  sheet.fillBox(19, y, PAGE.width - 38, height);
  sheet.block(banner, 19, y + (height - banner.height) / 2, { width: PAGE.width - 38, align: 'center', white: true });
}

const isInFrance = ({ country }: Place) => country.trim().toLowerCase() === 'france';
