import type { SignerRelation } from '@navette/contract';
import { type DeliveryFacts, type EmailTexts, PICKUP_QR } from './email-facts.ts';

const automatic = (contact: string) =>
  `Ce message est automatique : les réponses ne sont pas lues. Pour toute question, contactez ${contact}.`;
const personal = (referenceNumber: string) =>
  `Référence ${referenceNumber}. Ce lien est personnel : ne le transférez pas.`;
const greeting = (name: string | null) => `Bonjour${name ? ` ${name}` : ''},`;
const GIVE_CODE =
  'Le code à donner au livreur se trouve sur la page de suivi. Donnez-le une fois le colis en main, jamais avant.';

const SIGNERS: Record<SignerRelation, string> = {
  recipient: 'Vous avez signé à la livraison.',
  household: 'Une personne de votre foyer a signé à la livraison.',
  neighbour: 'Un voisin a signé à la livraison.',
  caretaker: 'Le gardien a signé à la livraison.',
  colleague: 'Un collègue a signé à la livraison.',
  other: 'Une autre personne a signé à la livraison.',
};

const proofOf = ({ isConfirmedByOperator, hasPhoto, signer }: DeliveryFacts): string =>
  [
    isConfirmedByOperator
      ? 'La livraison a été confirmée par l’opérateur de livraison.'
      : 'Le code de livraison a été donné au livreur.',
    ...(signer ? [SIGNERS[signer]] : []),
    ...(hasPhoto ? ['Le livreur a pris une photo.'] : []),
  ].join(' ');

export const FRENCH_EMAILS: EmailTexts = {
  'recipient-email': ({ merchantName, referenceNumber, isCollection, slot, link }) => {
    const when = slot ? `Livraison prévue : ${slot}.` : 'Vous pouvez suivre son arrivée en direct.';
    return {
      subject: isCollection
        ? `Collecte ${referenceNumber} : suivi et code`
        : `Votre colis ${merchantName} : suivi et code`,
      preview: `${when} Le code à donner au livreur est sur la page de suivi.`,
      heading: isCollection ? 'Un colis collecté vous est livré' : 'Votre colis arrive bientôt',
      paragraphs: [
        isCollection
          ? `Un livreur Navette vous livre le colis de la collecte ${referenceNumber}.`
          : `${merchantName} vous envoie un colis. Un livreur Navette vous le livre.`,
        when,
        GIVE_CODE,
      ],
      button: { label: 'Suivre et voir le code', link },
      small: [personal(referenceNumber), automatic(merchantName)],
    };
  },

  'zone-email': ({ merchantName, referenceNumber, zone, link }) => ({
    subject: `Votre colis ${merchantName} : livraison retardée`,
    preview: zone?.text ?? '',
    heading: 'Votre livraison est retardée',
    paragraphs: [
      zone?.text ?? '',
      `Aucun livreur n’est envoyé dans ce secteur pour le moment, au plus tard jusqu’au ${zone?.until}. La recherche d’un livreur reprend ensuite automatiquement : vous n’avez rien à faire.`,
    ],
    button: { label: 'Suivre mon colis', link },
    small: [personal(referenceNumber), automatic(merchantName)],
  }),

  // The driver may change until the pickup, so only the page names one.
  'collection-email': ({ merchantName, referenceNumber, contactName, slot, pickupPlace, link }) => ({
    subject: `Un livreur vient chercher votre colis pour ${merchantName}`,
    preview: 'Montrez le QR code de ce message au livreur à son arrivée.',
    heading: 'Un livreur vient chercher votre colis',
    paragraphs: [
      greeting(contactName),
      `Un livreur Navette vient chercher votre colis pour ${merchantName} à cette adresse : ${pickupPlace}.${slot ? ` Créneau : ${slot}.` : ''}`,
      'À l’arrivée du livreur, montrez-lui ce QR code, à l’écran ou imprimé. Il le scanne, et l’enlèvement est enregistré.',
    ],
    picture: { name: PICKUP_QR, alt: 'QR code d’enlèvement', caption: `Référence ${referenceNumber}` },
    button: { label: 'Suivre la collecte', link },
    small: [
      'Ce QR code ne sert qu’une fois, pour ce colis. Ne le transférez pas.',
      'L’image ne s’affiche pas ? La page de suivi montre le même QR code.',
      automatic(merchantName),
    ],
  }),

  'booked-email': ({
    merchantName,
    shopContact,
    referenceNumber,
    isCollection,
    contactName,
    slot,
    pickupPlace,
    link,
  }) =>
    isCollection
      ? {
          subject: `Votre collecte pour ${merchantName} est programmée`,
          preview: `Enlèvement prévu : ${slot}.`,
          heading: 'Votre collecte est programmée',
          highlight: { label: 'Enlèvement prévu', value: slot ?? '' },
          paragraphs: [
            greeting(contactName),
            `Un livreur Navette viendra chercher votre colis pour ${merchantName} à cette adresse : ${pickupPlace}.`,
            'Vous recevrez le QR code à lui montrer dès que la collecte sera attribuée à un livreur.',
          ],
          button: { label: 'Suivre la collecte', link },
          small: [personal(referenceNumber), automatic(shopContact)],
        }
      : {
          subject: `Votre colis ${merchantName} : créneau réservé`,
          preview: `Livraison prévue : ${slot}.`,
          heading: 'Votre livraison est programmée',
          highlight: { label: 'Livraison prévue', value: slot ?? '' },
          paragraphs: [
            `${merchantName} vous envoie un colis. Un livreur Navette vous le livre dans ce créneau.`,
            'Vous recevrez un autre message dès que votre colis sera attribué à un livreur, avec le code à lui donner.',
            `Ce créneau ne vous convient pas ? Contactez ${shopContact}.`,
          ],
          button: { label: 'Suivre mon colis', link },
          small: [personal(referenceNumber), automatic(merchantName)],
        },

  'next-email': ({ merchantName, shopContact, referenceNumber, isCollection, arrival, link }) => ({
    subject: isCollection ? `Collecte ${referenceNumber} : le colis arrive` : `Votre colis ${merchantName} arrive`,
    preview: arrival ? `Arrivée estimée : ${arrival}. Préparez votre code.` : 'Préparez votre code de livraison.',
    heading: 'Vous êtes le prochain arrêt',
    ...(arrival ? { highlight: { label: 'Arrivée estimée', value: arrival } } : {}),
    paragraphs: [
      isCollection
        ? `Le livreur est en route avec le colis de la collecte ${referenceNumber}.`
        : `Le livreur est en route avec votre colis ${merchantName}.`,
      GIVE_CODE,
    ],
    button: { label: 'Suivre et voir le code', link },
    small: [personal(referenceNumber), automatic(shopContact)],
  }),

  'delivered-email': ({ merchantName, shopContact, referenceNumber, isCollection, delivery, link }) =>
    isCollection
      ? {
          subject: `Votre colis est livré à ${merchantName}`,
          preview: `Livré ${delivery?.at}.`,
          heading: 'Votre colis est livré',
          highlight: { label: 'Livré', value: delivery?.at ?? '' },
          paragraphs: [`${merchantName} a reçu le colis de votre collecte ${referenceNumber}.`],
          button: { label: 'Voir le suivi', link },
          small: [personal(referenceNumber), automatic(shopContact)],
        }
      : {
          subject: `Votre colis ${merchantName} est livré`,
          preview: `Livré ${delivery?.at}.`,
          heading: 'Votre colis est livré',
          highlight: { label: 'Livré', value: delivery?.at ?? '' },
          paragraphs: [
            ...(delivery ? [proofOf(delivery)] : []),
            `Vous n’avez rien reçu, ou le colis est abîmé ? Contactez ${shopContact}.`,
          ],
          button: { label: 'Voir le suivi', link },
          small: [personal(referenceNumber), automatic(merchantName)],
        },

  'cancelled-email': ({ merchantName, shopContact, referenceNumber, isCollection, link }) => ({
    subject: isCollection
      ? `Votre collecte pour ${merchantName} est annulée`
      : `Votre livraison ${merchantName} est annulée`,
    preview: 'Aucun livreur ne passera. Vous n’avez rien à faire.',
    heading: isCollection ? 'Votre collecte est annulée' : 'Votre livraison est annulée',
    paragraphs: [
      `L’envoi ${referenceNumber} (${merchantName}) a été annulé. Aucun livreur ne passera : vous n’avez rien à faire.`,
      `Une question ? Contactez ${shopContact}.`,
    ],
    button: { label: 'Voir le suivi', link },
    small: [personal(referenceNumber), automatic(merchantName)],
  }),
};
