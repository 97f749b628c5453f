import { type Language, type Role, SIGNER_RELATIONS, STAFF_ROLES } from '@navette/contract';
import consoleEnglish from '../../apps/console/src/i18n/en/index.ts';
import consoleFrench from '../../apps/console/src/i18n/fr/index.ts';
import english from '../../apps/dashboard/src/i18n/en/index.ts';
import french from '../../apps/dashboard/src/i18n/fr/index.ts';
import driverEnglish from '../../apps/driver/src/i18n/en.ts';
import driverFrench from '../../apps/driver/src/i18n/fr.ts';
import { TEXTS as SITE_TEXTS } from '../../site/src/site-texts.ts';
import type { Label } from '../src/features/labels/label.ts';
import type { LabelSheet } from '../src/features/labels/page/codes.ts';
import { drawLabel } from '../src/features/labels/page/draw-label.ts';
import { invitationEmail } from '../src/features/members/mail-texts.ts';
import { noticeEmail } from '../src/features/members/notice-texts.ts';
import type { EmailFacts, EmailKind } from '../src/features/messages/email-facts.ts';
import { writeEmail } from '../src/features/messages/email-texts.ts';
import { collectionSms, recipientSms, soonSms } from '../src/features/messages/sms-texts.ts';
import { STATUS_NAMES } from '../src/features/shipment-desk/status-names.ts';
import { staffInvitationEmail, staffNoticeEmail } from '../src/features/staff/staff-mail-texts.ts';
import { WORDS } from '../src/features/tracking/words.ts';
import { IDENTITY_NOTICES, resetEmail } from '../src/identity/mail-texts.ts';
import type { MemberNotice, StaffNotice } from '../src/jobs/definitions.ts';

export type ProductTexts = Record<string, Partial<Record<Language, string>>>;

const NAME = 'Zoé'; // stands for any person, merchant or place in a text
const LINK = 'https://navette.example/t/0123456789';

/** Every text that a person can read in a product, by name and language. */
export function readProductTexts(): ProductTexts {
  const texts: ProductTexts = {};
  const add = (language: Language, name: string, text: string) => {
    texts[name] = { ...texts[name], [language]: text };
  };
  for (const [language, words] of [
    ['fr', french],
    ['en', english],
  ] as const) {
    for (const [name, text] of leavesOf(words)) add(language, `dashboard:${name}`, text);
    for (const [name, text] of leavesOf(WORDS[language])) add(language, `page:${name}`, text);
    for (const [name, text] of leavesOf(SITE_TEXTS[language])) add(language, `site:${name}`, text);
    for (const [name, text] of leavesOf(STATUS_NAMES[language])) add(language, `export:${name}`, text);
    for (const [name, text] of Object.entries(memberMails(language))) add(language, `mail:${name}`, text);
    for (const [name, text] of Object.entries(staffMails(language))) add(language, `staff-mail:${name}`, text);
    for (const [name, text] of Object.entries(recipientMessages(language))) add(language, name, text);
  }
  for (const [name, text] of leavesOf(consoleFrench)) add('fr', `console:${name}`, text);
  for (const [name, text] of leavesOf(consoleEnglish)) add('en', `console:${name}`, text);
  for (const [name, text] of leavesOf(driverFrench)) add('fr', `driver:${name}`, text);
  for (const [name, text] of leavesOf(driverEnglish)) add('en', `driver:${name}`, text);
  for (const [name, text] of Object.entries(labels())) add('fr', `label:${name}`, text);
  return texts;
}

/** Texts at any depth, with the path as name. A text that is a function gets a name for each parameter. */
function leavesOf(node: unknown, path: string[] = []): [name: string, text: string][] {
  if (typeof node === 'string') return [[path.join('.'), node]];
  if (typeof node === 'function') return [[path.join('.'), String(node(...Array(node.length).fill(NAME)))]];
  return Object.entries(node as object).flatMap(([key, child]) => leavesOf(child, [...path, key]));
}

const NOTICES: Record<MemberNotice, true> = {
  'password-changed': true,
  'second-factor-on': true,
  'second-factor-off': true,
  'recovery-codes-renewed': true,
  'codes-locked': true,
  'passkey-added': true,
  'passkey-removed': true,
  'key-created': true,
  'key-widened': true,
  'keys-left': true,
  'key-expiring': true,
  'webhook-failing': true,
  'webhook-paused': true,
  incident: true,
  'recurring-refused': true,
  'automatic-top-up-off': true,
  'import-finished': true,
  'balance-low': true,
  'balance-empty': true,
  'invoice-issued': true,
};

/** Mail to members. Without an inviter or a creator, a mail names the operator. */
function memberMails(language: Language): Record<string, string> {
  const facts = {
    accountName: NAME,
    by: null,
    keys: [{ name: NAME, hint: 'abcd' }],
    daysLeft: 14,
    webhookHost: 'shop.example',
    incident: { shipmentId: NAME, referenceNumber: 'K7M2P9XW4B', kind: 'recipient_absent' as const },
    recurringId: NAME,
    subject: NAME,
  };
  const notices = (Object.keys(NOTICES) as MemberNotice[]).map((notice) => {
    const { subject, text } = noticeEmail(language, notice, facts, 'https://navette.example');
    return [notice, `${subject}\n${text}`];
  });
  const roles: Role[] = ['owner', 'developer', 'operations', 'read-only'];
  const invitations = roles.map((role) => {
    const { subject, text } = invitationEmail(language, { accountName: NAME, invitedBy: null, role, link: LINK });
    return `${subject}\n${text}`;
  });
  const { subject, text } = resetEmail(language, 'dashboard', LINK);
  return { ...Object.fromEntries(notices), invitation: invitations.join('\n'), reset: `${subject}\n${text}` };
}

function staffMails(language: Language): Record<string, string> {
  const join = ({ subject, text }: { subject: string; text: string }) => `${subject}\n${text}`;
  const notices = (Object.keys(IDENTITY_NOTICES[language]) as StaffNotice[]).map((notice) => [
    notice,
    join(staffNoticeEmail(language, notice, 'https://navette.example')),
  ]);
  const invitations = STAFF_ROLES.map((role) => join(staffInvitationEmail(language, role, LINK)));
  const reset = join(resetEmail(language, 'console', LINK));
  return { ...Object.fromEntries(notices), invitation: invitations.join('\n'), reset };
}

/** Messages to recipients and collection contacts. */
function recipientMessages(language: Language): Record<string, string> {
  const facts = {
    ...{ merchantName: NAME, referenceNumber: '5N4MPK3S3M', isCollection: false, isExpress: false, link: LINK },
    ...{ slot: null, contactName: NAME, pickupPlace: NAME, shopContact: NAME, minutes: 10, arrival: NAME },
    zone: { text: NAME, until: NAME },
    delivery: { at: NAME, isConfirmedByOperator: false, hasPhoto: true, signer: null },
  };
  const slot = 'mercredi 5 mars, 14h-16h';
  const mail = (kind: EmailKind, changes: Partial<EmailFacts> = {}) => {
    const { subject, text } = writeEmail(kind, { ...facts, ...changes }, language);
    return `${subject}\n${text}`;
  };
  const proofs = SIGNER_RELATIONS.map((signer) => mail('delivered-email', { delivery: { ...facts.delivery, signer } }));
  const byOperator = { ...facts.delivery, isConfirmedByOperator: true };
  return {
    'mail:recipient': mail('recipient-email'),
    'mail:slot': mail('recipient-email', { slot }),
    'mail:collected': mail('recipient-email', { isCollection: true }),
    'mail:contact': mail('collection-email', { isCollection: true, slot }),
    'mail:zone': mail('zone-email'),
    'mail:booked': mail('booked-email', { slot }),
    'mail:contact-booked': mail('booked-email', { slot, isCollection: true }),
    'mail:next': mail('next-email'),
    'mail:collected-next': mail('next-email', { isCollection: true, arrival: null }),
    'mail:delivered': proofs.join('\n'),
    'mail:confirmed': mail('delivered-email', { delivery: byOperator }),
    'mail:contact-delivered': mail('delivered-email', { isCollection: true }),
    'mail:cancelled': mail('cancelled-email'),
    'mail:contact-cancelled': mail('cancelled-email', { isCollection: true }),
    'sms:agreed': recipientSms(facts, language),
    'sms:slot': recipientSms({ ...facts, slot }, language),
    'sms:express': recipientSms({ ...facts, isExpress: true }, language),
    'sms:collected': recipientSms({ ...facts, isCollection: true }, language),
    'sms:soon': soonSms(facts, language),
    'sms:contact': collectionSms(facts, language),
  };
}

function labels(): Record<string, string> {
  const place = { name: NAME, street: NAME, postalCode: '75001', city: NAME, country: 'France' };
  const label: Label = {
    ...{ referenceNumber: '5N4MPK3S3M', isCancelled: false, isCollection: false, sender: place },
    ...{ recipient: { ...place, phoneNumber: '0612345678' }, weight: 1, nature: NAME, notes: NAME, orderId: NAME },
    ...{ service: { kind: 'express' }, createdOn: '2026-03-04' },
  };
  return {
    delivery: textOf(label),
    agreed: textOf({ ...label, service: { kind: 'agreed' } }),
    collection: textOf({ ...label, isCollection: true }),
    cancelled: textOf({ ...label, isCancelled: true }),
  };
}

/** The text of a label, read from the calls that draw it. */
function textOf(label: Label): string {
  const lines: string[] = [];
  const nothing = () => undefined;
  const sheet: LabelSheet = {
    text: (text) => lines.push(text),
    caption: (text) => lines.push(text),
    block: (block) => lines.push(...block.lines),
    ...{ line: nothing, fillBox: nothing, clearBox: nothing, code128: nothing, qr: nothing },
  };
  drawLabel(sheet, label);
  return lines.join('\n');
}
