import type { Language, Role } from '@navette/contract';
import { type Email, layOutEmail } from '../../output-formats/email-layout.ts';
import { mailText } from './printable-text.ts';

interface InvitationFacts {
  accountName: string;
  /** E-mail address; null: the operator. */
  invitedBy: string | null;
  role: Role;
  link: string;
}

const ROLE_NAMES: Record<Language, Record<Role, string>> = {
  fr: { owner: 'propriétaire', developer: 'développeur', operations: 'exploitation', 'read-only': 'lecture seule' },
  en: { owner: 'owner', developer: 'developer', operations: 'operations', 'read-only': 'read-only' },
};

/** Anyone may be invited, so the mail contains no text of the inviter: it names them by their verified address. */
export function invitationEmail(language: Language, { role, link, ...facts }: InvitationFacts): Email {
  const roleName = ROLE_NAMES[language][role];
  const accountName = mailText(facts.accountName);
  const invitedBy = facts.invitedBy && mailText(facts.invitedBy, 254);
  if (language === 'en') {
    return layOutEmail(
      `Join ${accountName} on Navette`,
      {
        preview: 'Choose a password to get started. The link is valid for seven days.',
        heading: `Join the ${accountName} team`,
        paragraphs: [
          `${invitedBy ?? 'Your delivery operator'} has invited you to the ${accountName} dashboard on Navette. Your role: ${roleName}.`,
          'Follow the link and choose a password to get started.',
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
  return layOutEmail(`Rejoignez ${accountName} sur Navette`, {
    preview: 'Choisissez un mot de passe pour commencer. Le lien est valable sept jours.',
    heading: `Rejoignez l’équipe ${accountName}`,
    paragraphs: [
      `${invitedBy ?? 'Votre opérateur de livraison'} vous invite à rejoindre le tableau de bord de ${accountName} sur Navette. Votre rôle : ${roleName}.`,
      'Suivez le lien et choisissez un mot de passe pour commencer.',
    ],
    button: { label: 'Accepter l’invitation', link },
    small: [
      'Le lien ne sert qu’une fois et reste valable sept jours. Ne le transférez pas.',
      'Vous ne vous y attendiez pas ? Ignorez ce message : il ne se passera rien.',
    ],
  });
}
