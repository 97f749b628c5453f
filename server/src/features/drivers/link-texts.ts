import type { PasswordLinkPurpose } from '@navette/contract';
import { toGsm } from '../../adapters/sms/gsm-alphabet.ts';
import { type Email, layOutEmail } from '../../output-formats/email-layout.ts';

interface LinkFacts {
  firstName: string;
  link: string;
}

/** Short, so that a usual PUBLIC_URL leaves them in one segment. */
export const linkSms: Record<PasswordLinkPurpose, (facts: LinkFacts) => string> = {
  invitation: ({ link }) => toGsm(`Navette : choisissez votre mot de passe sous 7 jours : ${link}`),
  reset: ({ link }) => toGsm(`Navette : choisissez un nouveau mot de passe sous 1 h : ${link}`),
};

export const linkEmail: Record<PasswordLinkPurpose, (facts: LinkFacts) => Email> = {
  invitation: ({ firstName, link }) =>
    layOutEmail('Bienvenue chez Navette : choisissez votre mot de passe', {
      preview: 'Le lien ne sert qu’une fois et reste valable sept jours.',
      heading: `Bienvenue ${firstName}`,
      paragraphs: [
        'Votre opérateur de livraison vous a inscrit comme livreur.',
        'Ouvrez ce lien sur le téléphone que vous utiliserez en course, et choisissez un mot de passe.',
      ],
      button: { label: 'Choisir mon mot de passe', link },
      small: [
        'Le lien ne sert qu’une fois et reste valable sept jours. Ne le transférez pas.',
        'Vous ne vous y attendiez pas ? Ignorez ce message : il ne se passera rien.',
      ],
    }),
  reset: ({ firstName, link }) =>
    layOutEmail('Choisissez un nouveau mot de passe Navette', {
      preview: 'Le lien ne sert qu’une fois et reste valable une heure.',
      heading: 'Choisissez un nouveau mot de passe',
      paragraphs: [
        `Bonjour ${firstName}, un nouveau mot de passe a été demandé pour l’application des livreurs.`,
        'Une fois le mot de passe choisi, vos autres appareils seront déconnectés.',
      ],
      button: { label: 'Choisir un nouveau mot de passe', link },
      small: [
        'Le lien ne sert qu’une fois et reste valable une heure. Ne le transférez pas.',
        'Ce n’était pas vous ? Ignorez ce message : votre mot de passe ne change pas.',
      ],
    }),
};
