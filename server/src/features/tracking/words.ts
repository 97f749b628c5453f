import type { Language } from './language.ts';

/** Every sentence that a recipient can read, in both languages. */
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
  /** Who sends or collects, as the line under the headline. */
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
  codeTitle: string;
  codeShow: string;
  codeHide: string;
  codeHint: string;
  qrTitle: string;
  qrHint: string;
  qrAlt: string;
  driverTitle: string;
  liveTitle: string;
  away: (distance: string) => string;
  positionAt: (time: string) => string;
  map: string;
  stepsTitle: string;
  steps: Record<'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled', string>;
  contactSteps: Record<'picked_up' | 'in_transit' | 'delivered', string>;
  stepDone: string;
  stepNow: string;
  stepNext: string;
  reference: string;
  updated: string;
  offline: string;
  personal: string;
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
    picked_up: (driver) => `${driver} a votre colis`,
    in_transit: (driver) => `${driver} est en route`,
  },
  delivered: 'Votre colis est livré',
  deliveredAt: (when) => `Remis ${when}.`,
  cancelled: 'Cette livraison est annulée',
  cancelledHelp: (merchant) => `Pour toute question, contactez ${merchant}.`,
  from: (merchant) => `Envoyé par ${merchant}`,
  collectedFor: (city) => `Collecté à ${city}`,
  someDriver: 'Le livreur',
  contact: {
    programmed: () => 'La collecte est programmée',
    created: () => 'Nous cherchons un livreur',
    assigned: (driver) => `${driver} vient chercher votre colis`,
    picked_up: (driver) => `${driver} a votre colis`,
    in_transit: () => 'Votre colis est en route',
  },
  contactFor: (merchant) => `Votre colis pour ${merchant}`,
  contactDelivered: 'Votre colis est arrivé',
  contactCancelled: 'Cette collecte est annulée',
  whenTitle: 'Livraison prévue',
  contactWhenTitle: 'Passage prévu',
  today: 'Aujourd’hui',
  tomorrow: 'Demain',
  between: (start, end) => `entre ${start} et ${end}`,
  soon: 'Dès que possible',
  codeTitle: 'Code de livraison',
  codeShow: 'Afficher le code',
  codeHide: 'Masquer',
  codeHint: 'À donner au livreur une fois le colis en main, jamais avant.',
  qrTitle: 'QR code de remise',
  qrHint: 'Montrez-le au livreur quand il est là : il le scanne.',
  qrAlt: 'QR code à montrer au livreur',
  driverTitle: 'Votre livreur',
  liveTitle: 'Vous êtes le prochain arrêt',
  away: (distance) => `à ${distance}`,
  positionAt: (time) => `position de ${time}`,
  map: 'Voir sur une carte',
  stepsTitle: 'Étapes',
  steps: {
    programmed: 'Programmée',
    created: 'Commande reçue',
    assigned: 'Livreur trouvé',
    picked_up: 'Colis récupéré',
    in_transit: 'En route vers vous',
    delivered: 'Livré',
    cancelled: 'Annulé',
  },
  contactSteps: { picked_up: 'Colis remis au livreur', in_transit: 'En route', delivered: 'Arrivé à destination' },
  stepDone: 'fait',
  stepNow: 'en cours',
  stepNext: 'à venir',
  reference: 'Référence',
  updated: 'Mis à jour à',
  offline: 'Pas de réseau : ces informations datent de la dernière mise à jour.',
  personal: 'Cette page est personnelle : ne partagez pas son lien.',
  notices: {
    unknown: {
      title: 'Ce lien ne mène nulle part',
      text: 'Vérifiez que vous l’avez ouvert en entier, tel qu’il est dans le message que vous avez reçu.',
    },
    expired: {
      title: 'Ce lien n’est plus valable',
      text: 'La livraison est terminée depuis un moment. Pour toute question, adressez-vous au magasin.',
    },
    tooMany: { title: 'Trop d’essais', text: 'Patientez une minute, puis rouvrez le lien de votre message.' },
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
    assigned: (driver) => `${driver} is fetching your parcel`,
    picked_up: (driver) => `${driver} has your parcel`,
    in_transit: (driver) => `${driver} is on the way`,
  },
  delivered: 'Your parcel was delivered',
  deliveredAt: (when) => `Handed over ${when}.`,
  cancelled: 'This delivery was cancelled',
  cancelledHelp: (merchant) => `If you have a question, please contact ${merchant}.`,
  from: (merchant) => `Sent by ${merchant}`,
  collectedFor: (city) => `Collected in ${city}`,
  someDriver: 'The driver',
  contact: {
    programmed: () => 'The collection is scheduled',
    created: () => 'Finding a driver',
    assigned: (driver) => `${driver} is coming for your parcel`,
    picked_up: (driver) => `${driver} has your parcel`,
    in_transit: () => 'Your parcel is on its way',
  },
  contactFor: (merchant) => `Your parcel for ${merchant}`,
  contactDelivered: 'Your parcel has arrived',
  contactCancelled: 'This collection was cancelled',
  whenTitle: 'Expected',
  contactWhenTitle: 'Collection expected',
  today: 'Today',
  tomorrow: 'Tomorrow',
  between: (start, end) => `between ${start} and ${end}`,
  soon: 'As soon as possible',
  codeTitle: 'Delivery code',
  codeShow: 'Show the code',
  codeHide: 'Hide',
  codeHint: 'Give it to the driver once you hold the parcel, never before.',
  qrTitle: 'Hand-over QR code',
  qrHint: 'Show it to the driver, who will scan it.',
  qrAlt: 'QR code to show to the driver',
  driverTitle: 'Your driver',
  liveTitle: 'You are the next stop',
  away: (distance) => `${distance} away`,
  positionAt: (time) => `position at ${time}`,
  map: 'See on a map',
  stepsTitle: 'Steps',
  steps: {
    programmed: 'Scheduled',
    created: 'Order received',
    assigned: 'Driver found',
    picked_up: 'Parcel picked up',
    in_transit: 'On the way to you',
    delivered: 'Delivered',
    cancelled: 'Cancelled',
  },
  contactSteps: { picked_up: 'Handed to the driver', in_transit: 'On its way', delivered: 'Arrived' },
  stepDone: 'done',
  stepNow: 'now',
  stepNext: 'to come',
  reference: 'Reference',
  updated: 'Updated at',
  offline: 'No network: this is how things were at the last update.',
  personal: 'This page is yours: do not share its link.',
  notices: {
    unknown: {
      title: 'This link leads nowhere',
      text: 'Please check that you opened all of it, just as it is in the message you received.',
    },
    expired: {
      title: 'This link is no longer valid',
      text: 'The delivery ended a while ago. If you have a question, please ask the shop.',
    },
    tooMany: { title: 'Too many attempts', text: 'Wait a minute, then open the link in your message again.' },
    failed: { title: 'One moment…', text: 'Tracking is not available right now. Please try again in a minute.' },
  },
};

export const WORDS: Record<Language, Words> = { fr, en };
