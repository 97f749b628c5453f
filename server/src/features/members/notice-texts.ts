import type { IncidentKind, Language } from '@navette/contract';
import type { IdentityNotice } from '../../identity/identity.ts';
import { IDENTITY_NOTICES, type NoticePlace } from '../../identity/mail-texts.ts';
import type { MemberNotice } from '../../jobs/definitions.ts';
import { type Email, layOutEmail } from '../../output-formats/email-layout.ts';
import { mailText } from './printable-text.ts';

/** Facts of a notice. Members choose these texts, so `mailText` cleans them first. */
export interface NoticeFacts {
  accountName: string;
  /** E-mail address of the member who created the keys; null for the operator. */
  by: string | null;
  keys: { name: string | null; hint: string }[];
  /** Until the key expires. */
  daysLeft: number | null;
  /** Host of the failing or paused webhook. The rest of its URL may contain a token. */
  webhookHost: string | null;
  incident: { shipmentId: string; referenceNumber: string; kind: IncidentKind } | null;
  recurringId: string | null;
  /** The number of the invoice, or the name of the imported file. */
  subject: string | null;
  importId?: string;
  isCreditNote?: boolean;
}

interface NoticeWords {
  subject: string;
  paragraphs: string[];
  /** Target of the button. */
  page: 'profile' | 'keys' | 'webhooks' | 'shipment' | 'recurring' | 'payments' | 'import' | 'account' | 'invoices';
  small: string;
}

type Words = Record<MemberNotice, (facts: NoticeFacts) => NoticeWords>;

const keyList = (keys: NoticeFacts['keys']) =>
  keys.map(({ name, hint }) => (name ? `${mailText(name)} (…${hint})` : `…${hint}`)).join(', ');

const INCIDENT_KIND_NAMES: Record<Language, Record<IncidentKind, string>> = {
  fr: {
    recipient_absent: 'le destinataire était absent',
    recipient_refuses: 'le destinataire a refusé le colis',
    wrong_address: 'l’adresse est incorrecte',
    damaged: 'le colis est abîmé',
    unreachable: 'le lieu n’est pas accessible',
    other: 'un autre problème est survenu',
    code_refused: 'le code donné au livreur était incorrect',
  },
  en: {
    recipient_absent: 'the recipient was absent',
    recipient_refuses: 'the recipient refused the parcel',
    wrong_address: 'the address is wrong',
    damaged: 'the parcel is damaged',
    unreachable: 'the place cannot be reached',
    other: 'there was another problem',
    code_refused: 'the code given to the driver was wrong',
  },
};

const CHOICE = {
  fr: 'Vous choisissez dans votre profil de quoi vous êtes averti, et comment.',
  en: 'You choose in your profile what you are notified about, and how.',
};

const UNKNOWN_KEY = {
  fr: 'Vous ne reconnaissez pas cette clé ? Révoquez-la : elle cesse de fonctionner en moins d’une seconde.',
  en: 'Don’t recognise this key? Revoke it: it stops working within a second.',
};

/** Notices about the member's own access. */
const ownAccess = (language: Language, placeOf: (accountName: string) => NoticePlace) =>
  Object.fromEntries(
    Object.entries(IDENTITY_NOTICES[language]).map(([notice, words]) => [
      notice,
      ({ accountName }: NoticeFacts) => ({ ...words(placeOf(accountName)), page: 'profile' as const }),
    ]),
  ) as Pick<Words, IdentityNotice>;

const FRENCH: Words = {
  ...ownAccess('fr', (accountName) => ({
    access: `au tableau de bord de ${accountName}`,
    name: accountName,
    tell: 'un propriétaire du compte',
    withoutSecondFactor: 'Le mot de passe seul suffit désormais pour se connecter.',
  })),
  'passkey-added': ({ accountName }) => ({
    subject: 'Une clé d’accès a été ajoutée',
    paragraphs: [
      `Une clé d’accès vient d’être ajoutée à votre accès au tableau de bord de ${accountName}.`,
      'Elle permet de se connecter sans mot de passe ni code.',
    ],
    page: 'profile',
    small:
      'Ce n’était pas vous ? Supprimez-la dans votre profil, changez votre mot de passe, puis prévenez un propriétaire du compte.',
  }),
  'passkey-removed': ({ accountName }) => ({
    subject: 'Une clé d’accès a été supprimée',
    paragraphs: [
      `Une clé d’accès vient d’être supprimée de votre accès au tableau de bord de ${accountName}.`,
      'Elle ne permet plus de se connecter.',
    ],
    page: 'profile',
    small: 'Ce n’était pas vous ? Changez votre mot de passe, puis prévenez un propriétaire du compte.',
  }),
  'key-created': ({ accountName, by, keys }) => ({
    subject: 'Une nouvelle clé API a été créée',
    paragraphs: [
      `${by ?? 'Votre opérateur de livraison'} vient de créer une clé API pour ${accountName} : ${keyList(keys)}.`,
      'Une clé permet à un logiciel d’agir au nom du compte.',
    ],
    page: 'keys',
    small: UNKNOWN_KEY.fr,
  }),
  'key-widened': ({ accountName, keys }) => ({
    subject: 'Les restrictions d’une clé API ont été levées ou élargies',
    paragraphs: [
      `La clé API ${keyList(keys)} de ${accountName} peut maintenant être utilisée depuis d’autres réseaux ou pour d’autres parties de l’API.`,
      'Le journal de sécurité indique qui a fait ce changement.',
    ],
    page: 'keys',
    small: 'Ce changement n’était pas prévu ? Rétablissez les restrictions, ou révoquez la clé.',
  }),
  'keys-left': ({ accountName, by, keys }) => ({
    subject: 'Des clés API d’un ancien membre sont encore actives',
    paragraphs: [
      `${by ?? 'Un membre'} n’a plus accès à ${accountName}. Ces clés API, créées par cette personne, sont encore actives : ${keyList(keys)}.`,
      'Elle peut les connaître : remplacez-les dans vos logiciels, puis révoquez-les.',
    ],
    page: 'keys',
    small: 'Nous ne les révoquons pas nous-mêmes : vos logiciels s’arrêteraient.',
  }),
  'key-expiring': ({ accountName, keys, daysLeft }) => ({
    subject: 'Une clé API expire bientôt',
    paragraphs: [
      `La clé API ${keyList(keys)} de ${accountName} expire dans ${daysLeft} jour${daysLeft === 1 ? '' : 's'}. Les logiciels qui l’utilisent seront ensuite refusés.`,
      'Créez une nouvelle clé, remplacez-la dans vos logiciels, puis révoquez l’ancienne.',
    ],
    page: 'keys',
    small: 'Vous recevez ce rappel 14 jours puis 3 jours avant l’expiration.',
  }),
  'webhook-failing': ({ accountName, webhookHost }) => ({
    subject: 'Un webhook échoue : des événements ne sont pas remis',
    paragraphs: [
      `Un événement de ${accountName} n’a pas pu être remis à ${webhookHost} après trois tentatives, et aucun n’a été remis depuis.`,
      'Le tableau de bord montre la réponse à chaque tentative. Une fois votre serveur corrigé, cliquez sur « Renvoyer » : les événements non reçus sont envoyés de nouveau.',
    ],
    page: 'webhooks',
    small: 'Un seul e-mail par panne. Après trois jours d’échecs, le webhook est mis en pause, et vous en êtes averti.',
  }),
  'webhook-paused': ({ accountName, webhookHost }) => ({
    subject: 'Un webhook est en pause : il échoue depuis trois jours',
    paragraphs: [
      `Depuis trois jours, aucun événement de ${accountName} n’a pu être remis à ${webhookHost}. Nous avons mis ce webhook en pause : plus rien ne lui est envoyé.`,
      'Corrigez votre serveur ou l’adresse, envoyez un test, puis cliquez sur « Reprendre ». « Renvoyer » envoie ensuite les événements non reçus des 28 derniers jours.',
    ],
    page: 'webhooks',
    small: 'Chaque tentative des 30 derniers jours est visible dans le tableau de bord, avec le début de la réponse.',
  }),
  incident: ({ accountName, incident }) => ({
    subject: `Colis ${incident?.referenceNumber} : la livraison n’a pas pu se faire`,
    paragraphs: [
      `Le livreur n’a pas pu remettre un colis de ${accountName} : ${INCIDENT_KIND_NAMES.fr[incident?.kind ?? 'other']}.`,
      'Votre opérateur de livraison s’en occupe : nouvelle tentative, livraison à une autre personne ou retour à l’expéditeur. La page du colis indique la suite.',
    ],
    page: 'shipment',
    small: 'Si vous avez une consigne pour ce colis, appelez votre opérateur de livraison.',
  }),
  'recurring-refused': ({ accountName }) => ({
    subject: 'Un envoi récurrent n’a pas pu être créé',
    paragraphs: [
      `Un envoi récurrent de ${accountName} n’a pas pu être créé. Le tableau de bord indique pourquoi, et ce que vous pouvez faire.`,
      'Nous réessayons toutes les dix minutes, jusqu’au début du créneau. Passé ce moment, l’envoi de ce jour n’aura pas lieu.',
    ],
    page: 'recurring',
    small: 'Un seul e-mail jusqu’à ce que vos envois récurrents soient de nouveau créés.',
  }),
  'automatic-top-up-off': ({ accountName }) => ({
    subject: 'La recharge automatique a échoué et est désactivée',
    paragraphs: [
      `La recharge automatique de ${accountName} a été refusée par la banque, ou la banque demande votre confirmation. Rien n’a été crédité.`,
      'Nous l’avons désactivée. Rechargez le compte avant que le solde ne soit épuisé, puis réactivez-la avec un autre moyen de paiement.',
    ],
    page: 'payments',
    small: 'Sans solde suffisant, aucun envoi ne peut être créé.',
  }),
  'import-finished': ({ accountName, subject }) => ({
    subject: 'Votre import est terminé',
    paragraphs: [
      `Toutes les lignes de ${mailText(subject ?? 'votre fichier')} ont été traitées pour ${accountName}.`,
      'La page de l’import montre les envois créés, les lignes refusées, et permet d’imprimer les étiquettes.',
    ],
    page: 'import',
    small: CHOICE.fr,
  }),
  'balance-low': ({ accountName }) => ({
    subject: 'Votre solde est bas',
    paragraphs: [
      `Le solde de ${accountName} est descendu sous 50 €.`,
      'Rechargez-le pour que vos prochains envois soient acceptés.',
    ],
    page: 'account',
    small: CHOICE.fr,
  }),
  'balance-empty': ({ accountName }) => ({
    subject: 'Votre solde est épuisé : plus aucun envoi n’est accepté',
    paragraphs: [
      `Le solde de ${accountName} ne couvre plus le prix d’un colis. Les nouveaux envois sont refusés.`,
      'La page du compte indique comment le recharger.',
    ],
    page: 'account',
    small: CHOICE.fr,
  }),
  'invoice-issued': ({ accountName, subject, isCreditNote }) => ({
    subject: `Votre ${isCreditNote ? 'avoir' : 'facture'} ${subject} est disponible`,
    paragraphs: [`Le document ${subject} de ${accountName} est disponible dans le tableau de bord, au format PDF.`],
    page: 'invoices',
    small: CHOICE.fr,
  }),
};

const ENGLISH: Words = {
  ...ownAccess('en', (accountName) => ({
    access: `the ${accountName} dashboard`,
    name: accountName,
    tell: 'an account owner',
    withoutSecondFactor: 'From now on, your password alone is enough to sign in.',
  })),
  'passkey-added': ({ accountName }) => ({
    subject: 'A passkey has been added',
    paragraphs: [
      `A passkey has just been added to your access to the ${accountName} dashboard.`,
      'It lets you sign in without a password or a code.',
    ],
    page: 'profile',
    small: 'Not you? Remove it in your profile, change your password, then inform an owner of the account.',
  }),
  'passkey-removed': ({ accountName }) => ({
    subject: 'A passkey has been removed',
    paragraphs: [
      `A passkey has just been removed from your access to the ${accountName} dashboard.`,
      'It can no longer be used to sign in.',
    ],
    page: 'profile',
    small: 'Not you? Change your password, then inform an owner of the account.',
  }),
  'key-created': ({ accountName, by, keys }) => ({
    subject: 'A new API key has been created',
    paragraphs: [
      `${by ?? 'Your delivery operator'} has just created an API key for ${accountName}: ${keyList(keys)}.`,
      'A key lets software act on behalf of the account.',
    ],
    page: 'keys',
    small: UNKNOWN_KEY.en,
  }),
  'key-widened': ({ accountName, keys }) => ({
    subject: 'The restrictions of an API key have been lifted or widened',
    paragraphs: [
      `The ${accountName} API key ${keyList(keys)} can now be used from other networks or for other parts of the API.`,
      'The security log shows who made this change.',
    ],
    page: 'keys',
    small: 'Not expected? Restore the restrictions, or revoke the key.',
  }),
  'keys-left': ({ accountName, by, keys }) => ({
    subject: 'API keys of a former member are still active',
    paragraphs: [
      `${by ?? 'A member'} no longer has access to ${accountName}. These API keys, which they created, are still active: ${keyList(keys)}.`,
      'They may still know them. Replace them in your software, then revoke them.',
    ],
    page: 'keys',
    small: 'We do not revoke them for you, because your software would stop working.',
  }),
  'key-expiring': ({ accountName, keys, daysLeft }) => ({
    subject: 'An API key expires soon',
    paragraphs: [
      `The API key ${keyList(keys)} of ${accountName} expires in ${daysLeft} day${daysLeft === 1 ? '' : 's'}. Software that uses it will then be refused.`,
      'Create a new key, replace it in your software, then revoke the old one.',
    ],
    page: 'keys',
    small: 'You receive this reminder 14 days and 3 days before a key expires.',
  }),
  'webhook-failing': ({ accountName, webhookHost }) => ({
    subject: 'A webhook is failing: events are not delivered',
    paragraphs: [
      `An event from ${accountName} could not be delivered to ${webhookHost} in three attempts, and none has been delivered since.`,
      'The dashboard shows the response to every attempt. Once your server is fixed, click “Send again”: missed events are sent again.',
    ],
    page: 'webhooks',
    small: 'One email per outage. After three days of failures the webhook is paused, and you are notified.',
  }),
  'webhook-paused': ({ accountName, webhookHost }) => ({
    subject: 'A webhook has been paused after failing for three days',
    paragraphs: [
      `No event from ${accountName} could be delivered to ${webhookHost} for three days. We have paused this webhook: nothing more is sent to it.`,
      'Fix your server or the URL, send a test, then click “Resume”. “Send again” then sends the missed events of the last 28 days.',
    ],
    page: 'webhooks',
    small: 'The dashboard shows every attempt of the last 30 days, with the start of the response.',
  }),
  incident: ({ accountName, incident }) => ({
    subject: `Parcel ${incident?.referenceNumber} could not be handed over`,
    paragraphs: [
      `The driver could not hand over a parcel from ${accountName}: ${INCIDENT_KIND_NAMES.en[incident?.kind ?? 'other']}.`,
      'Your delivery operator is dealing with it: another attempt, another person, or a return to you. The parcel’s page shows what happens next.',
    ],
    page: 'shipment',
    small: 'If you have instructions for this parcel, call your delivery operator.',
  }),
  'recurring-refused': ({ accountName }) => ({
    subject: 'A recurring shipment could not be created',
    paragraphs: [
      `A recurring shipment of ${accountName} could not be created. The dashboard shows why, and what you can do.`,
      'We try again every ten minutes until its time slot starts. After that, nothing is sent on that day.',
    ],
    page: 'recurring',
    small: 'One email until your recurring shipments are created again.',
  }),
  'automatic-top-up-off': ({ accountName }) => ({
    subject: 'Automatic top-up failed and has been switched off',
    paragraphs: [
      `The bank declined the automatic top-up of ${accountName}, or wants you to confirm it. Nothing was credited.`,
      'We have switched it off. Top up the account before the balance runs out, then switch it on again with another payment method.',
    ],
    page: 'payments',
    small: 'Without enough balance, no shipments can be created.',
  }),
  'import-finished': ({ accountName, subject }) => ({
    subject: 'Your import has finished',
    paragraphs: [
      `All lines of ${mailText(subject ?? 'your file')} have been processed for ${accountName}.`,
      'The page of the import shows the shipments created and the lines refused, and lets you print the labels.',
    ],
    page: 'import',
    small: CHOICE.en,
  }),
  'balance-low': ({ accountName }) => ({
    subject: 'Your balance is low',
    paragraphs: [
      `The balance of ${accountName} has fallen below €50.`,
      'Top it up so that your next shipments are accepted.',
    ],
    page: 'account',
    small: CHOICE.en,
  }),
  'balance-empty': ({ accountName }) => ({
    subject: 'Your balance is used up: no more shipments are accepted',
    paragraphs: [
      `The balance of ${accountName} no longer covers the price of a parcel. New shipments are refused.`,
      'The account page explains how to top it up.',
    ],
    page: 'account',
    small: CHOICE.en,
  }),
  'invoice-issued': ({ accountName, subject, isCreditNote }) => ({
    subject: `Your ${isCreditNote ? 'credit note' : 'invoice'} ${subject} is available`,
    paragraphs: [`Document ${subject} of ${accountName} is available in the dashboard as a PDF.`],
    page: 'invoices',
    small: CHOICE.en,
  }),
};

const PAGES = {
  profile: '/dashboard/profile',
  keys: '/dashboard/developers/keys',
  webhooks: '/dashboard/developers/webhooks',
  shipment: '/dashboard/shipments/',
  recurring: '/dashboard/recurring/',
  payments: '/dashboard/account/payments',
  import: '/dashboard/shipments/import/',
  account: '/dashboard/account',
  invoices: '/dashboard/account/invoices',
};
const BUTTONS: Record<Language, Record<NoticeWords['page'], string>> = {
  fr: {
    profile: 'Ouvrir mon profil',
    keys: 'Voir les clés API',
    webhooks: 'Voir les webhooks',
    shipment: 'Voir le colis',
    recurring: 'Voir l’envoi récurrent',
    payments: 'Recharger le compte',
    import: 'Voir l’import',
    account: 'Voir le compte',
    invoices: 'Voir les factures',
  },
  en: {
    profile: 'Open my profile',
    keys: 'View API keys',
    webhooks: 'View webhooks',
    shipment: 'View the parcel',
    recurring: 'View the recurring shipment',
    payments: 'Top up the account',
    import: 'View the import',
    account: 'View the account',
    invoices: 'View invoices',
  },
};

export function noticeEmail(language: Language, notice: MemberNotice, facts: NoticeFacts, publicUrl: string): Email {
  const cleaned = { ...facts, accountName: mailText(facts.accountName), by: facts.by && mailText(facts.by, 254) };
  const { subject, paragraphs, page, small } = (language === 'fr' ? FRENCH : ENGLISH)[notice](cleaned);
  const targets = { shipment: facts.incident?.shipmentId, recurring: facts.recurringId, import: facts.importId };
  const about = targets[page as keyof typeof targets] ?? '';
  const button = { label: BUTTONS[language][page], link: `${publicUrl}${PAGES[page]}${about}` };
  return layOutEmail(
    subject,
    { preview: paragraphs[0] ?? subject, heading: subject, paragraphs, button, small: [small] },
    language,
  );
}
