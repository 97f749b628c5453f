import shared from '@navette/ui/i18n/en/session.ts';
import type { Translations } from '../translations.ts';

const session: Translations['session'] = {
  ...shared,
  signIn: {
    ...shared.signIn,
    firstTime: 'No access yet? An administrator can invite you from the Staff page.',
    singleSignOn: 'Sign in with {{name}}',
    or: 'or with a password',
  },
  invitation: {
    ...shared.invitation,
    title: 'Join the console',
    text: '{{who}} has invited you to the operator’s console with the role “{{role}}”.',
  },
  setUp: {
    title: 'Turn on two-factor authentication',
    text: 'The console gives access to recipients’ addresses, so a code from your phone is always required in addition to your password.',
  },
};
export default session;
