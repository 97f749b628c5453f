import type fr from '../fr/errors.ts';
import type { Texts } from '../texts.ts';

const errors: Texts<typeof fr> = {
  NOT_REACHED: 'The server is not responding. Check your connection, then try again.',
  NOT_SIGNED_IN: 'Your session has expired. Sign in again.',
  BAD_CSRF_TOKEN: 'This page is out of date. Reload it.',
  FOREIGN_ORIGIN: 'Request rejected: it comes from another site.',
  WRONG_CREDENTIALS:
    'Wrong email or password. After five wrong attempts in a row, wait 15 minutes before trying again.',
  WRONG_SECOND_FACTOR:
    'Wrong or already used code. After five wrong attempts in a row, wait 15 minutes; the wait grows each time it happens again.',
  WRONG_PASSWORD: 'Wrong password. After five wrong attempts in a row, wait 15 minutes before trying again.',
  WRONG_CODE: 'Wrong or already used code. Wait for the next one.',
  LINK_GONE: 'This link is no longer valid. Request a new one.',
  EMAIL_TAKEN: 'This email address is already in use.',
  SECOND_FACTOR_ON: 'Two-factor authentication is already on.',
  SECOND_FACTOR_OFF: 'Two-factor authentication is not on. Start again.',
  INTERNAL_ERROR: 'Something went wrong on our side. Try again in a moment.',
  unknown: 'Something unexpected went wrong. Reload the page.',
  fields: 'Some fields need to be corrected.',
  notFound: 'Not found: this item does not exist, or no longer does.',
  tooMany: 'Too many requests. Wait a minute, then try again.',
  internal: 'Something went wrong on our side. Try again in a moment.',
  rules: {
    guessable:
      'Too easy to guess. Avoid common passwords, sequences, your email address and the account’s name; four unrelated words work well.',
    required: 'Required',
    minLength: 'Required (at least {{limit}} characters)',
    maxLength: '{{limit}} characters maximum',
    exclusiveMinimum: 'Must be greater than {{limit}}',
    minimum: 'At least {{limit}}',
    maximum: 'At most {{limit}}',
    format: 'Invalid format',
    pattern: 'Invalid format',
    enum: 'Unknown value',
    type: 'Invalid value',
  },
};
export default errors;
