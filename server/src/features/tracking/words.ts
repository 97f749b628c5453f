import type { ReportKind, SignerRelation } from '@navette/contract';
import type { Language } from '../../http/choose-language.ts';

/** Every text of the page, in both languages. */
export interface Words {
  title: string;
  otherLanguage: string;
  progress: (step: number, of: number) => string;
  headline: Record<
    'programmed' | 'created' | 'again' | 'assigned' | 'picked_up' | 'in_transit',
    (driver: string) => string
  >;
  delivered: string;
  deliveredAt: (when: string) => string;
  cancelled: string;
  cancelledHelp: (merchant: string) => string;
  /** The line under the headline: the sender, or the merchant of a collection. */
  from: (merchant: string) => string;
  collectedFor: (city: string) => string;
  someDriver: string;
  contact: Record<'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit', (driver: string) => string>;
  contactFor: (merchant: string) => string;
  contactDelivered: string;
  contactCancelled: string;
  whenTitle: string;
  contactWhenTitle: string;
  today: string;
  tomorrow: string;
  between: (start: string, end: string) => string;
  soon: string;
  arrivalTitle: string;
  arrivalHint: string;
  stopsBefore: (stops: number) => string;
  slotPromised: (hours: string) => string;
  codeTitle: string;
  codeShow: string;
  codeHide: string;
  codeHint: string;
  qrTitle: string;
  qrHint: string;
  qrAlt: string;
  deliveryQrAlt: string;
  driverTitle: string;
  liveTitle: string;
  away: (distance: string) => string;
  positionAt: (time: string) => string;
  map: string;
  addressTitle: string;
  /** On a shared page, which has no street. */
  townTitle: string;
  addressHint: string;
  noteTitle: string;
  notePlaceholder: string;
  noteHint: string;
  noteSave: string;
  noteClosed: string;
  contactTitle: string;
  problemTitle: string;
  call: string;
  write: string;
  handoverTitle: string;
  handover: Record<'code' | 'person' | 'operator', (when: string) => string>;
  signed: Record<SignerRelation | 'unknown', string>;
  showPhotos: (photos: number) => string;
  photoAlt: string;
  reportOpen: string;
  reportWhat: string;
  reportKinds: Record<ReportKind, string>;
  reportText: string;
  reportSend: string;
  reportHint: (merchant: string) => string;
  reported: (when: string) => string;
  reportClosed: (when: string) => string;
  carriedBy: string;
  stepsTitle: string;
  steps: Record<'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled', string>;
  /** Texts for the contact of a collection that differ from the recipient's. */
  contactSteps: Record<'in_transit', string>;
  stepDone: string;
  stepNow: string;
  stepNext: string;
  reference: string;
  updated: string;
  offline: string;
  personal: string;
  shared: (merchant: string) => string;
  notices: Record<'unknown' | 'expired' | 'tooMany' | 'failed', { title: string; text: string }>;
}

const fr: Words = {
  title: 'Suivi de votre colis',
  otherLanguage: 'English',
  progress: (step, of) => `Étape ${step} sur ${of}`,
  headline: {
    programmed: () => 'Votre livraison est programmée',
    created: () => 'Nous cherchons votre livreur',
    again: () => 'Nous cherchons un autre livreur',
    assigned: (driver) => `${driver} va chercher votre colis`,
    picked_up: (driver) => `${driver} a pris en charge votre colis`,
    in_transit: (driver) => `${driver} est en route`,
  },
  delivered: 'Votre colis est livré',
  deliveredAt: (when) => `Livré ${when}.`,
  cancelled: 'Cette livraison est annulée',
  cancelledHelp: (merchant) => `Pour toute question, contactez ${merchant}.`,
  from: (merchant) => `Envoyé par ${merchant}`,
  collectedFor: (city) => `Collecté à ${city}`,
  someDriver: 'Le livreur',
  contact: {
    programmed: () => 'La collecte est programmée',
    created: () => 'Nous cherchons un livreur',
    assigned: (driver) => `${driver} vient chercher votre colis`,
    picked_up: (driver) => `${driver} a pris en charge votre colis`,
    in_transit: () => 'Votre colis est en route',
  },
  contactFor: (merchant) => `Votre colis pour ${merchant}`,
  contactDelivered: 'Votre colis est livré',
  contactCancelled: 'Cette collecte est annulée',
  whenTitle: 'Livraison prévue',
  contactWhenTitle: 'Enlèvement prévu',
  today: 'Aujourd’hui',
  tomorrow: 'Demain',
  between: (start, end) => `entre ${start} et ${end}`,
  soon: 'Dès que possible',
  arrivalTitle: 'Arrivée estimée',
  arrivalHint: 'Cette estimation se met à jour toute seule.',
  stopsBefore: (stops) => (stops === 1 ? 'Encore un arrêt avant vous.' : `Encore ${stops} arrêts avant vous.`),
  slotPromised: (hours) => `Créneau prévu ${hours}.`,
  codeTitle: 'Code de livraison',
  codeShow: 'Afficher le code',
  codeHide: 'Masquer',
  codeHint:
    'Le code, ou le QR code qui s’affiche avec lui : à donner au livreur une fois le colis en main, jamais avant.',
  qrTitle: 'QR code d’enlèvement',
  qrHint: 'Montrez-le au livreur à son arrivée : il le scanne.',
  qrAlt: 'QR code à montrer au livreur',
  deliveryQrAlt: 'QR code de livraison, à la place du code',
  driverTitle: 'Votre livreur',
  liveTitle: 'Vous êtes le prochain arrêt',
  away: (distance) => `à ${distance}`,
  positionAt: (time) => `position de ${time}`,
  map: 'Voir sur une carte',
  addressTitle: 'Adresse de livraison',
  townTitle: 'Destination',
  addressHint: 'Une erreur ? Prévenez la boutique avant le départ du livreur.',
  noteTitle: 'Un mot pour le livreur',
  notePlaceholder: 'Étage, nom sur l’interphone, code…',
  noteHint:
    'Pour votre livreur ; la boutique et notre équipe peuvent le lire. Modifiable tant qu’il n’est pas tout près.',
  noteSave: 'Enregistrer',
  noteClosed: 'Votre livreur est tout près : ce mot ne peut plus être modifié.',
  contactTitle: 'Une question ?',
  problemTitle: 'Un problème ?',
  call: 'Appeler',
  write: 'Écrire',
  handoverTitle: 'Preuve de livraison',
  handover: {
    code: (when) => `Remis contre votre code ${when}`,
    person: (when) => `Remis à une autre personne ${when}`,
    operator: (when) => `Livraison confirmée par notre équipe ${when}, sans le code`,
  },
  signed: {
    recipient: 'Signé par le destinataire.',
    household: 'Signé par une personne du foyer.',
    neighbour: 'Signé par un voisin ou une voisine.',
    caretaker: 'Signé par le gardien ou la gardienne.',
    colleague: 'Signé par un ou une collègue.',
    other: 'Signé par une autre personne.',
    unknown: 'Une signature a été recueillie.',
  },
  showPhotos: (photos) => (photos === 1 ? 'Voir la photo' : `Voir les ${photos} photos`),
  photoAlt: 'Photo prise par le livreur à la livraison du colis',
  reportOpen: 'Signaler un problème',
  reportWhat: 'Que s’est-il passé ?',
  reportKinds: {
    not_received: 'Je n’ai pas reçu le colis',
    damaged: 'Le colis ou son contenu est abîmé',
    incomplete: 'Il manque quelque chose',
    other: 'Autre chose',
  },
  reportText: 'Expliquez en quelques mots',
  reportSend: 'Envoyer',
  reportHint: (merchant) => `Notre équipe et ${merchant} lisent votre message.`,
  reported: (when) => `Problème signalé ${when}. Notre équipe s’en occupe.`,
  reportClosed: (when) => `Votre signalement a été traité ${when}.`,
  carriedBy: 'Livraison assurée par',
  stepsTitle: 'Étapes',
  steps: {
    programmed: 'Envoi programmé',
    created: 'Envoi créé',
    assigned: 'Attribué à un livreur',
    picked_up: 'Colis pris en charge',
    in_transit: 'En route vers vous',
    delivered: 'Colis livré',
    cancelled: 'Envoi annulé',
  },
  contactSteps: { in_transit: 'En route' },
  stepDone: 'fait',
  stepNow: 'en cours',
  stepNext: 'à venir',
  reference: 'Référence',
  updated: 'Mis à jour à',
  offline: 'Pas de réseau : ces informations datent de la dernière mise à jour.',
  personal: 'Cette page est personnelle : ne partagez pas son lien.',
  shared: (merchant) => `Suivi partagé par ${merchant}, sans le code de livraison ni l’adresse complète.`,
  notices: {
    unknown: {
      title: 'Lien introuvable',
      text: 'Vérifiez que vous l’avez ouvert en entier, tel qu’il figure dans le message que vous avez reçu.',
    },
    expired: {
      title: 'Ce lien n’est plus valable',
      text: 'La livraison est terminée depuis un moment. Pour toute question, contactez la boutique.',
    },
    tooMany: { title: 'Trop de tentatives', text: 'Patientez une minute, puis rouvrez le lien de votre message.' },
    failed: { title: 'Un instant…', text: 'Le suivi est momentanément indisponible. Réessayez dans une minute.' },
  },
};

const en: Words = {
  title: 'Track your parcel',
  otherLanguage: 'Français',
  progress: (step, of) => `Step ${step} of ${of}`,
  headline: {
    programmed: () => 'Your delivery is scheduled',
    created: () => 'Finding you a driver',
    again: () => 'Finding you another driver',
    assigned: (driver) => `${driver} is going to pick up your parcel`,
    picked_up: (driver) => `${driver} has picked up your parcel`,
    in_transit: (driver) => `${driver} is on the way`,
  },
  delivered: 'Your parcel has been delivered',
  deliveredAt: (when) => `Delivered ${when}.`,
  cancelled: 'This delivery has been cancelled',
  cancelledHelp: (merchant) => `If you have any questions, please contact ${merchant}.`,
  from: (merchant) => `Sent by ${merchant}`,
  collectedFor: (city) => `Collected in ${city}`,
  someDriver: 'The driver',
  contact: {
    programmed: () => 'The collection is scheduled',
    created: () => 'Finding a driver',
    assigned: (driver) => `${driver} is coming to pick up your parcel`,
    picked_up: (driver) => `${driver} has picked up your parcel`,
    in_transit: () => 'Your parcel is on the way',
  },
  contactFor: (merchant) => `Your parcel for ${merchant}`,
  contactDelivered: 'Your parcel has been delivered',
  contactCancelled: 'This collection has been cancelled',
  whenTitle: 'Delivery expected',
  contactWhenTitle: 'Pickup expected',
  today: 'Today',
  tomorrow: 'Tomorrow',
  between: (start, end) => `between ${start} and ${end}`,
  soon: 'As soon as possible',
  arrivalTitle: 'Estimated arrival',
  arrivalHint: 'This estimate updates by itself.',
  stopsBefore: (stops) => (stops === 1 ? 'One more stop before you.' : `${stops} more stops before you.`),
  slotPromised: (hours) => `Your slot is ${hours}.`,
  codeTitle: 'Delivery code',
  codeShow: 'Show the code',
  codeHide: 'Hide',
  codeHint:
    'The code, or the QR code shown with it: give it to the driver once you have the parcel in your hands, never before.',
  qrTitle: 'Pickup QR code',
  qrHint: 'Show it to the driver, who will scan it.',
  qrAlt: 'QR code to show the driver',
  deliveryQrAlt: 'Delivery QR code, instead of the code',
  driverTitle: 'Your driver',
  liveTitle: 'You are the next stop',
  away: (distance) => `${distance} away`,
  positionAt: (time) => `position at ${time}`,
  map: 'View on a map',
  addressTitle: 'Delivery address',
  townTitle: 'Destination',
  addressHint: 'Is it wrong? Tell the shop before the driver sets off.',
  noteTitle: 'A note for the driver',
  notePlaceholder: 'Floor, name on the bell, door code…',
  noteHint: 'For your driver; the shop and our team can read it. You can change it until the driver is close.',
  noteSave: 'Save',
  noteClosed: 'Your driver is close: the note can no longer be changed.',
  contactTitle: 'Any questions?',
  problemTitle: 'Something wrong?',
  call: 'Call',
  write: 'Write',
  handoverTitle: 'Proof of delivery',
  handover: {
    code: (when) => `Handed over with your code ${when}`,
    person: (when) => `Handed to another person ${when}`,
    operator: (when) => `Delivery confirmed by our team ${when}, without the code`,
  },
  signed: {
    recipient: 'Signed for by the recipient.',
    household: 'Signed for by someone in the household.',
    neighbour: 'Signed for by a neighbour.',
    caretaker: 'Signed for by the caretaker.',
    colleague: 'Signed for by a colleague.',
    other: 'Signed for by another person.',
    unknown: 'A signature was taken.',
  },
  showPhotos: (photos) => (photos === 1 ? 'Show the photo' : `Show the ${photos} photos`),
  photoAlt: 'Photo taken by the driver when the parcel was handed over',
  reportOpen: 'Report a problem',
  reportWhat: 'What happened?',
  reportKinds: {
    not_received: 'I have not received the parcel',
    damaged: 'The parcel or its contents are damaged',
    incomplete: 'Something is missing',
    other: 'Something else',
  },
  reportText: 'Tell us more in a few words',
  reportSend: 'Send',
  reportHint: (merchant) => `Our team and ${merchant} read your message.`,
  reported: (when) => `Problem reported ${when}. Our team is looking into it.`,
  reportClosed: (when) => `Your report was dealt with ${when}.`,
  carriedBy: 'Delivered by',
  stepsTitle: 'Steps',
  steps: {
    programmed: 'Shipment scheduled',
    created: 'Shipment created',
    assigned: 'Assigned to a driver',
    picked_up: 'Parcel picked up',
    in_transit: 'On the way to you',
    delivered: 'Parcel delivered',
    cancelled: 'Shipment cancelled',
  },
  contactSteps: { in_transit: 'On the way' },
  stepDone: 'done',
  stepNow: 'in progress',
  stepNext: 'to come',
  reference: 'Reference',
  updated: 'Updated at',
  offline: 'No connection: this information dates from the last update.',
  personal: 'This page is personal: do not share its link.',
  shared: (merchant) => `Tracking shared by ${merchant}, without the delivery code or the full address.`,
  notices: {
    unknown: {
      title: 'Link not found',
      text: 'Please check that you opened the whole link, exactly as it appears in the message you received.',
    },
    expired: {
      title: 'This link is no longer valid',
      text: 'The delivery ended a while ago. If you have any questions, please contact the shop.',
    },
    tooMany: { title: 'Too many attempts', text: 'Wait a minute, then open the link in your message again.' },
    failed: { title: 'One moment…', text: 'Tracking is temporarily unavailable. Please try again in a minute.' },
  },
};

export const WORDS: Record<Language, Words> = { fr, en };
