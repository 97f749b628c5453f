import { type Email, layOut } from '../../email-layout.ts';

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

/** The picture of a collection's e-mail; the page refers to it by this name. */
export const PICKUP_QR = 'qr-collecte';

const AUTOMATIC = 'Ce message est automatique : les réponses ne sont pas lues. Pour une question, adressez-vous à';

export function recipientEmail({ merchantName, referenceNumber, isCollection, slot, link }: EmailFacts): Email {
  const when = slot ? `Livraison prévue : ${slot}.` : 'Vous pouvez suivre son arrivée en direct.';
  return layOut(
    isCollection ? `Collecte ${referenceNumber} : suivi et code` : `Votre colis ${merchantName} : suivi et code`,
    {
      preview: `${when} Le code à donner au livreur est sur la page de suivi.`,
      heading: isCollection ? 'Une collecte vous est apportée' : 'Votre colis arrive bientôt',
      paragraphs: [
        isCollection
          ? `Le colis de la collecte ${referenceNumber} vous sera remis par un livreur de Navette.`
          : `${merchantName} vous envoie un colis. Un livreur de Navette vous l’apporte.`,
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

/** To whoever hands a collected parcel over. Drivers may change until then, so none is named; the page names today's. */
export function collectionEmail({
  merchantName,
  referenceNumber,
  contactName,
  slot,
  pickupPlace,
  link,
}: EmailFacts): Email {
  return layOut(`Un livreur vient chercher votre colis pour ${merchantName}`, {
    preview: 'Montrez le QR code de ce message au livreur quand il arrive.',
    heading: 'Un livreur vient chercher votre colis',
    paragraphs: [
      `Bonjour${contactName ? ` ${contactName}` : ''},`,
      `Votre colis pour ${merchantName} sera récupéré à cette adresse : ${pickupPlace}.${slot ? ` Créneau : ${slot}.` : ''}`,
      'Quand le livreur est là, montrez-lui ce QR code, sur l’écran ou imprimé. Il le scanne, et la remise est enregistrée.',
    ],
    picture: { name: PICKUP_QR, alt: 'QR code de remise', caption: `Référence ${referenceNumber}` },
    button: { label: 'Suivre la collecte', link },
    small: [
      'Ce QR code vaut une seule fois, pour ce colis. Ne le transférez pas.',
      'L’image ne s’affiche pas ? La page de suivi montre le même QR code.',
      `${AUTOMATIC} ${merchantName}.`,
    ],
  });
}
