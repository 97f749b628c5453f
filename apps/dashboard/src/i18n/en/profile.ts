import shared from '@navette/ui/i18n/en/profile.ts';
import type { Translations } from '../translations.ts';

const profile: Translations['profile'] = {
  ...shared,
  passkeys: {
    title: 'Passkeys',
    text: 'Sign in with your fingerprint, your face or your device’s screen lock, without typing a password or a code.',
    none: 'No passkeys yet.',
    add: 'Add a passkey',
    addText: 'Your browser will then ask where to save it: this device, your phone or a security key.',
    name: 'Passkey name',
    nameExample: 'Zoe’s phone',
    continue: 'Continue',
    cancelled: 'The passkey was cancelled, or the device did not respond.',
    isAdded: 'Passkey added.',
    added: 'Added on',
    used: 'last used',
    neverUsed: 'never used',
    remove: 'Remove',
    removeWhat: 'Remove “{{name}}”',
    removeText: 'It can no longer be used to sign in. Then delete it from the device that holds it.',
    isRemoved: 'Passkey removed.',
  },
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
