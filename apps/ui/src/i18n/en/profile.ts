import type fr from '../fr/profile.ts';
import type { Texts } from '../texts.ts';

const profile: Texts<typeof fr> = {
  title: 'My profile',
  text: 'Your details and sign-in security.',
  personal: {
    title: 'Your details',
    name: 'Name',
    email: 'Email address',
    emailHint: 'To change it, ask for an invitation to the new address.',
    language: 'Language',
    languageHint: 'For the emails you receive. Saving it also switches this interface.',
  },
  password: {
    title: 'Password',
    text: 'Changing it signs you out everywhere else.',
    current: 'Current password',
    next: 'New password',
    submit: 'Change password',
    done: 'Password changed. You have been signed out on your other devices.',
  },
  secondFactor: {
    title: 'Two-factor authentication',
    on: 'On',
    off: 'Off',
    offText:
      'Require a code from your phone in addition to your password, so a stolen password is not enough to sign in.',
    onText: 'You are asked for a code from your authenticator app each time you sign in.',
    start: 'Turn on',
    remove: 'Turn off',
    renew: 'New recovery codes',
    passwordFirst: 'Confirm your password first.',
    next: 'Continue',
    scan: 'Scan this code with your authenticator app (Aegis, Google Authenticator, 1Password…).',
    orType: 'Can’t scan it? Enter this key in the app:',
    secret: 'the key',
    qr: 'QR code to scan with your authenticator app',
    code: 'Code shown in the app',
    confirm: 'Turn on two-factor authentication',
    codeOrRecovery: 'Code from the app, or a recovery code',
    removeTitle: 'Turn off two-factor authentication',
    renewTitle: 'Replace recovery codes',
    renewText: 'The old codes will no longer work.',
    removed: 'Two-factor authentication is off.',
    codesTitle: 'Your recovery codes',
    codesText:
      'Each one replaces the code from your phone once. Keep them in a safe place: they will not be shown again.',
    codes: 'the recovery codes',
    download: 'Download',
    kept: 'I have saved them',
  },
};
export default profile;
