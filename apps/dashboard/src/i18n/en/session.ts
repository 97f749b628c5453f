import shared from '@navette/ui/i18n/en/session.ts';
import type { Translations } from '../translations.ts';

const session: Translations['session'] = {
  ...shared,
  signIn: {
    ...shared.signIn,
    or: 'or',
    passkey: 'Sign in with a passkey',
    passkeyCancelled: 'No passkey was used.',
    firstTime: 'No access yet? An account owner can invite you from the Team page.',
  },
  invitation: {
    ...shared.invitation,
    title: 'Join {{account}}',
    text: '{{who}} has invited you to the {{account}} dashboard with the role “{{role}}”.',
    operator: 'Your delivery operator',
  },
};
export default session;
