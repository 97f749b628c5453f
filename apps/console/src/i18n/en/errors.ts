import shared from '@navette/ui/i18n/en/errors.ts';
import type { Translations } from '../translations.ts';

const errors: Translations['errors'] = {
  ...shared,
  ROLE_NOT_ALLOWED: 'Your role does not allow this. Ask an administrator.',
  SECOND_FACTOR_MISSING: 'Turn on two-factor authentication first.',
  LAST_ADMIN: 'There must be at least one administrator. Make someone else an administrator first.',
  SINGLE_SIGN_ON_FAILED: 'Sign-in failed. Try again, or ask the administrator of your accounts for a role.',
  PASSWORD_SIGN_IN_OFF: 'Signing in with a password is turned off. Use your identity provider.',
  CHANGED_MEANWHILE: 'Someone acted in the meantime. Check the current state, then decide again.',
  OWN_REQUEST: 'You cannot approve your own request.',
};
export default errors;
