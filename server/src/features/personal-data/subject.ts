/** The person that a request is about, identified by e-mail address or phone number. */
export interface Subject {
  kind: 'email' | 'phone';
  /** An e-mail in lower case, or a phone number in international form: `+33612345678`. */
  value: string;
}

const SHORTEST_PHONE = 8; // digits, including the country code

/** Null unless it is an e-mail address, or a phone number in international form. */
export function readSubject({ email, phone }: { email?: string; phone?: string }): Subject | null {
  if (email !== undefined) {
    return /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? { kind: 'email', value: email.trim().toLowerCase() } : null;
  }
  const digits = digitsOf(phone ?? '');
  const isInternational = /^\s*(\+|00)/.test(phone ?? '');
  return isInternational && digits.length >= SHORTEST_PHONE ? { kind: 'phone', value: `+${digits}` } : null;
}

/** Digits of a number in international form, or of a national number without its leading zeros. */
const digitsOf = (text: string) =>
  text
    .normalize('NFKC')
    .replace('(0)', '') // +33 (0)6 12 34 56 78
    .replaceAll(/\D/g, '')
    .replace(/^0+/, '');

/** Whether a value, at any depth, contains the subject. */
export function mentions(subject: Subject, value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some((part) => mentions(subject, part));
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  return subject.kind === 'email' ? hasEmail(String(value), subject.value) : hasPhone(String(value), subject.value);
}

const hasEmail = (text: string, email: string) =>
  text
    .toLowerCase()
    .split(/[\s"'<>,;:()[\]{}|\\/]+/)
    .some((word) => word.replace(/\.+$/, '') === email);

/** A national number matches every country, since its country is not always known. */
function hasPhone(text: string, phone: string): boolean {
  const wanted = phone.slice(1);
  const national = wanted.replace(COUNTRY_CODE, '').replace(/^0+/, '');
  const written = text.match(/\+?\d(?:[\s.\-–/()\u00a0\u202f]*\d){6,}/gu) ?? [];
  return written.map(digitsOf).some((digits) => digits === wanted || digits === national);
}

/** One, two or three digits (ITU-T E.164). */
const COUNTRY_CODE = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;
