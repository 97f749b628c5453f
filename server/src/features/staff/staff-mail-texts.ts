import type { Language, StaffRole } from '@navette/contract';
import { IDENTITY_NOTICES, type NoticePlace } from '../../identity/mail-texts.ts';
import type { StaffNotice } from '../../jobs/definitions.ts';
import { type Email, layOutEmail } from '../../output-formats/email-layout.ts';

const ROLE_NAMES: Record<Language, Record<StaffRole, string>> = {
  fr: { dispatcher: 'répartiteur', support: 'assistance', accountant: 'comptable', admin: 'administrateur' },
  en: { dispatcher: 'dispatcher', support: 'support', accountant: 'accountant', admin: 'administrator' },
};

/** Names no inviter: an administrator or the command line, both of this company. */
export function staffInvitationEmail(language: Language, role: StaffRole, link: string): Email {
  const roleName = ROLE_NAMES[language][role];
  if (language === 'en') {
    return layOutEmail(
      'Join the Navette operator console',
      {
        preview: 'Choose a password to get started. The link is valid for seven days.',
        heading: 'Join the operator console',
        paragraphs: [
          `You have been invited to the console from which deliveries are run. Your role: ${roleName}.`,
          'Follow the link, choose a password, then set up a second factor with an authenticator app.',
        ],
        button: { label: 'Accept the invitation', link },
        small: [
          'The link can be used once and is valid for seven days. Do not forward it.',
          'Not expecting this? Ignore this message and nothing will happen.',
        ],
      },
      language,
    );
  }
  return layOutEmail('Rejoignez la console d’exploitation Navette', {
    preview: 'Choisissez un mot de passe pour commencer. Le lien est valable sept jours.',
    heading: 'Rejoignez la console d’exploitation',
    paragraphs: [
      `Vous êtes invité à rejoindre la console qui pilote les livraisons. Votre rôle : ${roleName}.`,
      'Suivez le lien, choisissez un mot de passe, puis activez la double authentification avec une application.',
    ],
    button: { label: 'Accepter l’invitation', link },
    small: [
      'Le lien ne sert qu’une fois et reste valable sept jours. Ne le transférez pas.',
      'Vous ne vous y attendiez pas ? Ignorez ce message : il ne se passera rien.',
    ],
  });
}

const PLACES: Record<Language, NoticePlace & { button: string }> = {
  fr: {
    access: 'à la console Navette',
    name: 'la console Navette',
    tell: 'un administrateur',
    withoutSecondFactor: 'La console vous demandera d’en activer une nouvelle à la prochaine connexion.',
    button: 'Ouvrir mon profil',
  },
  en: {
    access: 'the Navette console',
    name: 'the Navette console',
    tell: 'an administrator',
    withoutSecondFactor: 'The console will ask you to set up a new one when you next sign in.',
    button: 'Open my profile',
  },
};

export function staffNoticeEmail(language: Language, notice: StaffNotice, publicUrl: string): Email {
  const { button: label, ...place } = PLACES[language];
  const { subject, paragraphs, small } = IDENTITY_NOTICES[language][notice](place);
  const button = { label, link: `${publicUrl}/console/profile` };
  return layOutEmail(
    subject,
    { preview: paragraphs[0] ?? subject, heading: subject, paragraphs, button, small: [small] },
    language,
  );
}
