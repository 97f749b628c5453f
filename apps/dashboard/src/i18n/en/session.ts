import type { Words } from '../words.ts';

const session: Words['session'] = {
  signIn: {
    title: 'Sign in',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    forgotten: 'Forgotten password?',
    firstTime: 'No access yet? An owner of the account can invite you from the Team page.',
  },
  secondFactor: {
    title: 'Verification code',
    text: 'Open your authenticator app and type the six-digit code.',
    code: 'Code',
    hint: 'Lost your telephone? Type one of your recovery codes.',
    submit: 'Verify',
    back: 'Back to the password',
  },
  forgotten: {
    title: 'Forgotten password',
    text: 'Give your address: if we know it, you will get a link to choose a new password.',
    submit: 'Send the link',
    sentTitle: 'Look at your mail',
    sentText:
      'If {{email}} is known, a link that works for one hour has just been sent to it. Look into the spam folder too.',
    back: 'Back to sign-in',
  },
  reset: {
    title: 'New password',
    text: 'Once it is set, all your open sessions end.',
    password: 'New password',
    submit: 'Save the password',
    done: 'Password saved: sign in.',
    askAgain: 'Ask for a new link',
  },
  invitation: {
    title: 'Join {{account}}',
    loading: 'Invitation',
    text: '{{who}} invites you to the dashboard of {{account}}, with the role “{{role}}”.',
    operator: 'Your delivery company',
    name: 'Your name',
    email: 'E-mail address',
    password: 'Choose a password',
    submit: 'Accept and sign in',
    gone: 'Ask whoever invited you for a new invitation.',
  },
  linkGone: 'This link no longer works',
  linkGoneText: 'It has been used, replaced, or is too old.',
  passwordHint: '{{count}} characters at least. A phrase that nobody else knows makes a good password.',
  showPassword: 'Show or hide the password',
};
export default session;
