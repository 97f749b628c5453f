import type { Language } from '@navette/contract';
import { type Email, layOutEmail } from '../output-formats/email-layout.ts';
import type { IdentityNotice } from './identity.ts';

type Place = 'dashboard' | 'console';
const FRENCH_PLACES: Record<Place, string> = { dashboard: 'le tableau de bord', console: 'la console' };

/** Texts of a notice that depend on the place where the person signs in. */
export interface NoticePlace {
  /** After “your access”: “to the Atelier Zoé dashboard”, “au tableau de bord de …”. In English without the “to”. */
  access: string;
  /** After “your password for”. */
  name: string;
  /** The person to inform of an act by somebody else. */
  tell: string;
  /** The consequence of a second factor that is off. */
  withoutSecondFactor: string;
}

interface NoticeText {
  subject: string;
  paragraphs: string[];
  small: string;
}

type Notices = Record<IdentityNotice, (place: NoticePlace) => NoticeText>;

const notYou = {
  fr: (tell: string) =>
    `Ce n’était pas vous ? Choisissez immédiatement un nouveau mot de passe avec « Mot de passe oublié ? », puis prévenez ${tell}.`,
  en: (tell: string) => `Not you? Choose a new password right away with “Forgot your password?”, then inform ${tell}.`,
};

const FRENCH: Notices = {
  'password-changed': ({ access, tell }) => ({
    subject: 'Votre mot de passe Navette a été changé',
    paragraphs: [
      `Le mot de passe de votre accès ${access} vient d’être changé.`,
      'Vos autres sessions ont été fermées.',
    ],
    small: notYou.fr(tell),
  }),
  'second-factor-on': ({ access, tell }) => ({
    subject: 'La double authentification est activée',
    paragraphs: [
      `La double authentification vient d’être activée pour votre accès ${access}.`,
      'Gardez vos codes de secours en lieu sûr.',
    ],
    small: notYou.fr(tell),
  }),
  'second-factor-off': ({ access, tell, withoutSecondFactor }) => ({
    subject: 'La double authentification est désactivée',
    paragraphs: [`La double authentification vient d’être désactivée pour votre accès ${access}.`, withoutSecondFactor],
    small: notYou.fr(tell),
  }),
  'recovery-codes-renewed': ({ access, tell }) => ({
    subject: 'Vos codes de secours ont été remplacés',
    paragraphs: [
      `De nouveaux codes de secours viennent d’être créés pour votre accès ${access}.`,
      'Les anciens ne fonctionnent plus.',
    ],
    small: notYou.fr(tell),
  }),
  'codes-locked': ({ name }) => ({
    subject: 'Codes incorrects : la connexion est bloquée',
    paragraphs: [
      `Quelqu’un a saisi votre mot de passe pour ${name}, puis cinq codes incorrects de suite. La connexion par code est bloquée temporairement ; la durée s’allonge à chaque nouvelle série d’erreurs.`,
      'Si ce n’était pas vous, quelqu’un connaît votre mot de passe : changez-le maintenant.',
    ],
    small: 'Choisir un nouveau mot de passe avec « Mot de passe oublié ? » lève le blocage.',
  }),
};

const ENGLISH: Notices = {
  'password-changed': ({ access, tell }) => ({
    subject: 'Your Navette password has been changed',
    paragraphs: [
      `The password you use to sign in to ${access} has just been changed.`,
      'You have been signed out on your other devices.',
    ],
    small: notYou.en(tell),
  }),
  'second-factor-on': ({ access, tell }) => ({
    subject: 'Two-factor authentication is on',
    paragraphs: [
      `Two-factor authentication has just been turned on for your access to ${access}.`,
      'Keep your recovery codes in a safe place.',
    ],
    small: notYou.en(tell),
  }),
  'second-factor-off': ({ access, tell, withoutSecondFactor }) => ({
    subject: 'Two-factor authentication is off',
    paragraphs: [
      `Two-factor authentication has just been turned off for your access to ${access}.`,
      withoutSecondFactor,
    ],
    small: notYou.en(tell),
  }),
  'recovery-codes-renewed': ({ access, tell }) => ({
    subject: 'Your recovery codes have been replaced',
    paragraphs: [
      `New recovery codes have just been created for your access to ${access}.`,
      'The old ones no longer work.',
    ],
    small: notYou.en(tell),
  }),
  'codes-locked': ({ name }) => ({
    subject: 'Wrong codes: sign-in is locked',
    paragraphs: [
      `Someone entered your password for ${name}, then five wrong codes in a row. Sign-in with a code is temporarily locked, for longer each time this happens again.`,
      'If this was not you, someone knows your password. Change it now.',
    ],
    small: 'Choosing a new password with “Forgot your password?” unlocks sign-in.',
  }),
};

/** E-mails about passwords and second factors. */
export const IDENTITY_NOTICES: Record<Language, Notices> = { fr: FRENCH, en: ENGLISH };

export function resetEmail(language: Language, place: Place, link: string): Email {
  if (language === 'en') {
    return layOutEmail(
      'Choose a new Navette password',
      {
        preview: 'The link can be used once and is valid for one hour.',
        heading: 'Choose a new password',
        paragraphs: [
          `Someone, probably you, requested a new password for the Navette ${place}.`,
          'Once your password is set, you will be signed out everywhere.',
        ],
        button: { label: 'Choose a new password', link },
        small: [
          'The link can be used once and is valid for one hour. Do not forward it.',
          'Not you? Ignore this message: your password will not change.',
        ],
      },
      language,
    );
  }
  return layOutEmail('Choisissez un nouveau mot de passe Navette', {
    preview: 'Le lien ne sert qu’une fois et reste valable une heure.',
    heading: 'Choisissez un nouveau mot de passe',
    paragraphs: [
      `Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour ${FRENCH_PLACES[place]} Navette.`,
      'Une fois le mot de passe choisi, toutes vos sessions seront fermées.',
    ],
    button: { label: 'Choisir un nouveau mot de passe', link },
    small: [
      'Le lien ne sert qu’une fois et reste valable une heure. Ne le transférez pas.',
      'Ce n’était pas vous ? Ignorez ce message : votre mot de passe ne change pas.',
    ],
  });
}
