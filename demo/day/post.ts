import { inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';
import type { FakeMailbox, ReceivedMail } from '../../server/test/fake-mailbox.ts';
import type { FakeTwilio, TwilioMessage } from '../../server/test/fake-twilio.ts';

/** Unique phone numbers and e-mail addresses for the messages of a shipment. */
export const peopleOf = (number: number) => ({
  recipient: { phoneNumber: `+336${digits(number)}`, email: `destinataire${number}@people.example` },
  contact: { phoneNumber: `+3377${digits(number).slice(1)}`, email: `contact${number}@people.example` },
});
export const PEOPLE = /@people\.example|\+33[67]\d{8}/;

const digits = (number: number) => String(number).padStart(8, '0');

/** The received SMS and e-mails by recipient. Each call reads only the new ones. */
export function openPost(twilio: FakeTwilio, mailbox: FakeMailbox) {
  const sms = keepBy<TwilioMessage>(twilio.messages, ({ to }) => [to]);
  const mails = keepBy<ReceivedMail>(mailbox.mails, ({ envelope }) => envelope);
  return {
    smsTo: (number: string): TwilioMessage[] => sms(number),
    mailsTo: (address: string): ReceivedMail[] => mails(address),
  };
}

export type Post = ReturnType<typeof openPost>;

function keepBy<T>(all: readonly T[], addressesOf: (item: T) => string[]) {
  const kept = new Map<string, T[]>();
  let looked = 0;
  return (address: string): T[] => {
    for (; looked < all.length; looked++) {
      const item = all[looked] as T;
      for (const to of addressesOf(item)) kept.set(to, [...(kept.get(to) ?? []), item]);
    }
    return kept.get(address) ?? [];
  };
}

/** The link to the recipient's page, as its path. */
export const linkIn = (text: string): string | null => /\/t\/[\w-]+/.exec(text)?.[0] ?? null;

/** The delivery code on the recipient's page, where it is shown. */
export const codeIn = (page: string): string | null =>
  /<span class="hidden">((?:\d ){5}\d)<\/span>/.exec(page)?.[1]?.replaceAll(' ', '') ?? null;

/** The text of the QR code in a collection's e-mail, decoded from its pixels. */
export function pickupTokenIn(mail: ReceivedMail): string {
  const picture = mail.attachments.find(({ mimeType }) => mimeType === 'image/png');
  if (!picture || typeof picture.content === 'string') throw new Error('the e-mail of a collection holds no picture');
  return decodeQR(readPng(Buffer.from(new Uint8Array(picture.content))));
}

/** Decodes the PNG format of our e-mails: one bit per pixel, rows without a filter. */
function readPng(png: Buffer): { width: number; height: number; data: Uint8Array } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const chunks: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('ascii', at + 4, at + 8) === 'IDAT') chunks.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const rows = inflateSync(Buffer.concat(chunks));
  const stride = 1 + Math.ceil(width / 8);
  const data = new Uint8Array(width * height * 4).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isLight = ((rows[y * stride + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1;
      if (!isLight) data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3);
    }
  }
  return { width, height, data };
}
