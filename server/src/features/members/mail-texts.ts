import type { Language, Role } from '@navette/contract';
import { type Email, layOut } from '../../email-layout.ts';

interface InvitationFacts {
  accountName: string;
  invitedBy: string | null;
  role: Role;
  link: string;
}

const ROLE_NAMES: Record<Language, Record<Role, string>> = {
  fr: { owner: 'propriétaire', developer: 'développeur', operations: 'exploitation', 'read-only': 'lecture seule' },
  en: { owner: 'owner', developer: 'developer', operations: 'operations', 'read-only': 'read-only' },
};

export function invitationEmail(language: Language, { accountName, invitedBy, role, link }: InvitationFacts): Email {
  const roleName = ROLE_NAMES[language][role];
  if (language === 'en') {
    return layOut(
      `Join ${accountName} on Navette`,
      {
        preview: 'Choose a password and you are in. The link works for seven days.',
        heading: `You are invited to ${accountName}`,
        paragraphs: [
          `${invitedBy ?? 'Your delivery company'} invites you to the Navette dashboard of ${accountName}, as: ${roleName}.`,
          'Follow the link, choose a password, and you are in.',
        ],
        button: { label: 'Accept the invitation', link },
        small: [
          'The link works once, for seven days. Do not pass it on.',
          'You did not expect this? Ignore this message: nothing happens.',
        ],
      },
      language,
    );
  }
  return layOut(`Rejoignez ${accountName} sur Navette`, {
    preview: 'Choisissez un mot de passe et c’est fait. Le lien est valable sept jours.',
    heading: `Rejoignez l’équipe ${accountName}`,
    paragraphs: [
      `${invitedBy ?? 'Votre service de livraison'} vous invite au tableau de bord Navette de ${accountName}, avec le rôle : ${roleName}.`,
      'Suivez le lien, choisissez un mot de passe, et c’est fait.',
    ],
    button: { label: 'Accepter l’invitation', link },
    small: [
      'Le lien sert une seule fois, pendant sept jours. Ne le transférez pas.',
      'Vous ne vous y attendiez pas ? Ignorez ce message : il ne se passera rien.',
    ],
  });
}

export function resetEmail(language: Language, link: string): Email {
  if (language === 'en') {
    return layOut(
      'Choose a new Navette password',
      {
        preview: 'The link works once, for one hour.',
        heading: 'Choose a new password',
        paragraphs: [
          'Somebody, probably you, asked for a new password for the Navette dashboard.',
          'Once it is set, you are signed out everywhere.',
        ],
        button: { label: 'Choose a new password', link },
        small: [
          'The link works once, for one hour. Do not pass it on.',
          'It was not you? Ignore this message: your password stays as it is.',
        ],
      },
      language,
    );
  }
  return layOut('Choisissez un nouveau mot de passe Navette', {
    preview: 'Le lien sert une seule fois, pendant une heure.',
    heading: 'Choisissez un nouveau mot de passe',
    paragraphs: [
      'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour le tableau de bord Navette.',
      'Une fois le mot de passe choisi, toutes vos sessions ouvertes se terminent.',
    ],
    button: { label: 'Choisir un nouveau mot de passe', link },
    small: [
      'Le lien sert une seule fois, pendant une heure. Ne le transférez pas.',
      'Ce n’était pas vous ? Ignorez ce message : votre mot de passe ne change pas.',
    ],
  });
}
