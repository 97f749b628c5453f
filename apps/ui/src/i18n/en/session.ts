import type fr from '../fr/session.ts';
import type { Texts } from '../texts.ts';

const session: Texts<typeof fr> = {
  signIn: {
    title: 'Sign in',
    email: 'Email address',
    password: 'Password',
    submit: 'Sign in',
    forgotten: 'Forgot your password?',
  },
  secondFactor: {
    title: 'Verification code',
    text: 'Open your authenticator app and enter the six-digit code.',
    code: 'Code',
    hint: 'Don’t have your phone? Enter one of your recovery codes.',
    submit: 'Verify',
    back: 'Back to password',
  },
  forgotten: {
    title: 'Forgot your password?',
    text: 'Enter your address: if it belongs to an account, you will receive a link to choose a new password.',
    submit: 'Send link',
    sentTitle: 'Check your inbox',
    sentText:
      'If {{email}} belongs to an account, we have just sent a link that is valid for one hour. Check your spam folder too.',
    back: 'Back to sign-in',
  },
  reset: {
    title: 'New password',
    text: 'Once your password is set, you will be signed out everywhere.',
    password: 'New password',
    submit: 'Save password',
    done: 'Password saved. Sign in.',
    askAgain: 'Request a new link',
  },
  invitation: {
    loading: 'Invitation',
    name: 'Your name',
    email: 'Email address',
    password: 'Choose a password',
    submit: 'Accept and sign in',
    gone: 'Ask the person who invited you to send a new invitation.',
  },
  linkGone: 'This link is no longer valid',
  linkGoneText: 'It has already been used, has been replaced or has expired.',
  passwordHint: 'At least {{count}} characters. A phrase that only you know makes a good password.',
  showPassword: 'Show or hide password',
};
export default session;
