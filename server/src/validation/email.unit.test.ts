import { describe, expect, test } from 'vitest';
import { timeLimitMs } from '../../test/time-limit.ts';
import { isEmail } from './email.ts';

describe('an e-mail address', () => {
  test.each([
    'zoe@example.org',
    'zoe.martin+colis@mail.example.co.uk',
    "o'neil!#$%&*/=?^_`{|}~-@example.org",
    'ZOE@EXAMPLE.ORG',
    'zoe@xn--mller-kva.example',
    'jürgen@müller.example',
    'Zoë@example.org',
    '用户@例え.jp',
    'почта@пример.рф',
    'δοκιμή@παράδειγμα.δοκιμή',
    'उपयोगकर्ता@उदाहरण.भारत',
    '👩@example.org',
    'zoe@bücher-laden.example',
  ])('may be %s', (address) => {
    expect(isEmail(address)).toBe(true);
  });

  test.each([
    '',
    'zoe',
    'zoe@',
    '@example.org',
    'zoe@example',
    'zoe@exa mple.org',
    'zo e@example.org',
    'zoe@@example.org',
    'zoe@a@example.org',
    '.zoe@example.org',
    'zoe.@example.org',
    'z..oe@example.org',
    'zoe@.example.org',
    'zoe@example..org',
    'zoe@example.org.',
    'zoe@-example.org',
    'zoe@example-.org',
    'zoe@exa_mple.org',
    'zoe@例え',
    'zoe@xn--\u00fc.example',
    'zoe@example.org\r\nBcc: spy@example.org',
    'zoe@example.org, spy@example.org',
    '<zoe@example.org>',
    'zoe\u00a0@example.org',
    'zoe\u200b@example.org',
    'zoe\u202e@example.org',
    'zoe@exam\u200bple.org',
    'zoe\ud800@example.org',
    'zoe@👩.example\u2028',
    '"zoe martin"@example.org',
    'zoe@[127.0.0.1]',
  ])('is not %j', (address) => {
    expect(isEmail(address)).toBe(false);
  });

  test('is validated in linear time', () => {
    for (const text of [
      'a.'.repeat(500_000),
      `a@${'a-'.repeat(500_000)}`,
      `${'é'.repeat(500_000)}@`,
      '@'.repeat(500_000),
    ]) {
      const began = performance.now();
      expect(isEmail(text)).toBe(false);
      expect(performance.now() - began).toBeLessThan(timeLimitMs(2_000));
    }
  });
});
