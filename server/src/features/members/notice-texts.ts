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
  /** Host of the failing or paused webhook. The rest of its URL may contain a token. */
  webhookHost: string | null;
  incident: { shipmentId: string; referenceNumber: string; kind: IncidentKind } | null;
  recurringId: string | null;
}

interface NoticeWords {
  subject: string;
  paragraphs: string[];
  /** Target of the button. */
  page: 'profile' | 'keys' | 'webhooks' | 'shipment' | 'recurring';
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
  'key-created': ({ accountName, by, keys }) => ({
    subject: 'Une nouvelle clé API a été créée',
    paragraphs: [
      `${by ?? 'Votre opérateur de livraison'} vient de créer une clé API pour ${accountName} : ${keyList(keys)}.`,
      'Une clé permet à un logiciel d’agir au nom du compte.',
    ],
    page: 'keys',
    small: UNKNOWN_KEY.fr,
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
};

const ENGLISH: Words = {
  ...ownAccess('en', (accountName) => ({
    access: `the ${accountName} dashboard`,
    name: accountName,
    tell: 'an account owner',
    withoutSecondFactor: 'From now on, your password alone is enough to sign in.',
  })),
  'key-created': ({ accountName, by, keys }) => ({
    subject: 'A new API key has been created',
    paragraphs: [
      `${by ?? 'Your delivery operator'} has just created an API key for ${accountName}: ${keyList(keys)}.`,
      'A key lets software act on behalf of the account.',
    ],
    page: 'keys',
    small: UNKNOWN_KEY.en,
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
};

const PAGES = {
  profile: '/dashboard/profile',
  keys: '/dashboard/developers/keys',
  webhooks: '/dashboard/developers/webhooks',
  shipment: '/dashboard/shipments/',
  recurring: '/dashboard/recurring/',
};
const BUTTONS: Record<Language, Record<NoticeWords['page'], string>> = {
  fr: {
    profile: 'Ouvrir mon profil',
    keys: 'Voir les clés API',
    webhooks: 'Voir les webhooks',
    shipment: 'Voir le colis',
    recurring: 'Voir l’envoi récurrent',
  },
  en: {
    profile: 'Open my profile',
    keys: 'View API keys',
    webhooks: 'View webhooks',
    shipment: 'View the parcel',
    recurring: 'View the recurring shipment',
  },
};

export function noticeEmail(language: Language, notice: MemberNotice, facts: NoticeFacts, publicUrl: string): Email {
  const cleaned = { ...facts, accountName: mailText(facts.accountName), by: facts.by && mailText(facts.by, 254) };
  const { subject, paragraphs, page, small } = (language === 'fr' ? FRENCH : ENGLISH)[notice](cleaned);
  const about = { shipment: facts.incident?.shipmentId, recurring: facts.recurringId }[page as string] ?? '';
  const button = { label: BUTTONS[language][page], link: `${publicUrl}${PAGES[page]}${about}` };
  return layOutEmail(
    subject,
    { preview: paragraphs[0] ?? subject, heading: subject, paragraphs, button, small: [small] },
    language,
  );
}
