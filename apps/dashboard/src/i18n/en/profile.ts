import shared from '@navette/ui/i18n/en/profile.ts';
import type { Translations } from '../translations.ts';

const profile: Translations['profile'] = {
  ...shared,
  sessions: {
    title: 'Active sessions',
    text: 'The browsers where you are signed in.',
    unknownDevice: 'Unknown browser',
    current: 'This session',
    seen: 'Last active',
    opened: 'signed in',
    close: 'Sign out',
    closeWhat: 'Sign out: {{device}}',
    closed: 'Session ended.',
    everywhere: 'Sign out everywhere',
    everywhereTitle: 'Sign out everywhere?',
    everywhereText: 'All your sessions will end, including this one.',
  },
};
export default profile;
