import { type Email, layOutEmail } from '../../output-formats/email-layout.ts';

export interface EmailFacts {
  merchantName: string;
  referenceNumber: string;
  isCollection: boolean;
  contactName: string | null;
  /** `mercredi 5 mars, 14h-16h`, for a shipment with a slot. */
  slot: string | null;
  pickupPlace: string;
  link: string;
}

/** The image in a collection's e-mail; the HTML refers to it by this name. */
export const PICKUP_QR = 'qr-collecte';

const AUTOMATIC = 'Ce message est automatique : les réponses ne sont pas lues. Pour toute question, contactez';

export function recipientEmail({ merchantName, referenceNumber, isCollection, slot, link }: EmailFacts): Email {
  const when = slot ? `Livraison prévue : ${slot}.` : 'Vous pouvez suivre son arrivée en direct.';
  return layOutEmail(
    isCollection ? `Collecte ${referenceNumber} : suivi et code` : `Votre colis ${merchantName} : suivi et code`,
    {
      preview: `${when} Le code à donner au livreur est sur la page de suivi.`,
      heading: isCollection ? 'Un colis collecté vous est livré' : 'Votre colis arrive bientôt',
      paragraphs: [
        isCollection
          ? `Un livreur Navette vous livre le colis de la collecte ${referenceNumber}.`
          : `${merchantName} vous envoie un colis. Un livreur Navette vous le livre.`,
        when,
        'Le code à donner au livreur se trouve sur la page de suivi. Donnez-le une fois le colis en main, jamais avant.',
      ],
      button: { label: 'Suivre et voir le code', link },
      small: [
        `Référence ${referenceNumber}. Ce lien est personnel : ne le transférez pas.`,
        `${AUTOMATIC} ${merchantName}.`,
      ],
    },
  );
}

/** To the contact of a collection. The driver may change until the pickup, so only the page names one. */
export function collectionEmail({
  merchantName,
  referenceNumber,
  contactName,
  slot,
  pickupPlace,
  link,
}: EmailFacts): Email {
  return layOutEmail(`Un livreur vient chercher votre colis pour ${merchantName}`, {
    preview: 'Montrez le QR code de ce message au livreur à son arrivée.',
    heading: 'Un livreur vient chercher votre colis',
    paragraphs: [
      `Bonjour${contactName ? ` ${contactName}` : ''},`,
      `Un livreur Navette vient chercher votre colis pour ${merchantName} à cette adresse : ${pickupPlace}.${slot ? ` Créneau : ${slot}.` : ''}`,
      'À l’arrivée du livreur, montrez-lui ce QR code, à l’écran ou imprimé. Il le scanne, et l’enlèvement est enregistré.',
    ],
    picture: { name: PICKUP_QR, alt: 'QR code d’enlèvement', caption: `Référence ${referenceNumber}` },
    button: { label: 'Suivre la collecte', link },
    small: [
      'Ce QR code ne sert qu’une fois, pour ce colis. Ne le transférez pas.',
      'L’image ne s’affiche pas ? La page de suivi montre le même QR code.',
      `${AUTOMATIC} ${merchantName}.`,
    ],
  });
}
