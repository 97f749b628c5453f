import { describe, expect, test } from 'vitest';
import { mentions, readSubject, type Subject } from './subject.ts';

const phone = readSubject({ phone: '+33 6 12 34 56 78' }) as Subject;
const email = readSubject({ email: ' Camille@Example.org ' }) as Subject;

describe('a subject', () => {
  test('is an e-mail in lower case, or a number in international form', () => {
    expect(email).toEqual({ kind: 'email', value: 'camille@example.org' });
    expect(phone).toEqual({ kind: 'phone', value: '+33612345678' });
    expect(readSubject({ phone: '0033 6.12.34.56.78' })).toEqual(phone);
    expect(readSubject({ phone: '+33 (0)6 12 34 56 78' })).toEqual(phone);
  });

  test.each([{ email: 'camille' }, { email: 'a b@example.org' }, { phone: '0612345678' }, { phone: '+33 6' }, {}])(
    'is not read from %j',
    (given) => expect(readSubject(given)).toBe(null),
  );
});

describe('a number is mentioned', () => {
  test.each([
    '+33612345678',
    '0033612345678',
    '06 12 34 56 78',
    '06.12.34.56.78',
    '06-12-34-56-78',
    '+33 (0)6 12 34 56 78',
    '+33\u00a06\u202f12 34 56 78',
    'appeler le 0612345678, merci',
    'tel:+33612345678;ext=2',
  ])('by %s', (text) => expect(mentions(phone, text)).toBe(true));

  test('anywhere in a value, as text or number', () => {
    expect(mentions(phone, { customer: { phones: ['x', '06 12 34 56 78'] } })).toBe(true);
    expect(mentions(phone, { phone: 33612345678 })).toBe(true);
  });

  test.each(['0612345679', '+32612345678', '12345678', '0612345678901', '2041-06-12', '', null, 612])(
    'not by %s',
    (value) => expect(mentions(phone, value)).toBe(false),
  );

  test('of any country: three digits of Luxembourg, one of Canada, the zero that Italy keeps', () => {
    const isIn = (given: string, text: string) => mentions(readSubject({ phone: given }) as Subject, text);
    expect(isIn('+352 621 123 456', '621 123 456')).toBe(true);
    expect(isIn('+1 514 555 0123', '(514) 555-0123')).toBe(true);
    expect(isIn('+39 06 698 12345', '06 698 12345')).toBe(true);
  });
});

describe('an e-mail is mentioned', () => {
  test.each([
    'camille@example.org',
    'CAMILLE@EXAMPLE.ORG',
    'Camille <camille@example.org>',
    'écrire à camille@example.org.',
  ])('by %s', (text) => expect(mentions(email, text)).toBe(true));

  test.each(['marie-camille@example.org', 'camille@example.org.fr', 'camille+x@example.org', 'example.org'])(
    'not by %s',
    (text) => expect(mentions(email, text)).toBe(false),
  );
});
