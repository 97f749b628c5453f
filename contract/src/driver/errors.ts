import Type, { type TProperties } from 'typebox';
import { Closed, OneOf } from '../schema-kit.ts';

interface DriverSlug {
  status: number;
  /** The cause and the remedy, for the developers of the app. */
  cause: string;
  remedy: string;
  /** The text that the driver sees. */
  message: string;
  extra: TProperties;
}

const define = <const T extends Record<string, DriverSlug>>(slugs: T) => slugs;

export const MAX_WRONG_DELIVERY_CODES = 5; // per shipment, over all drivers; after that only the operator can confirm the delivery

/** Every slug of the driver API except INTERNAL_ERROR, which the merchants' API defines. */
export const DRIVER_SLUGS = define({
  MISSING_TOKEN: {
    status: 401,
    cause: 'The Authorization header is missing or not of the form `Bearer <token>`.',
    remedy: 'Create a session and send its token.',
    message: 'Session absente : connectez-vous.',
    extra: {},
  },
  INVALID_TOKEN: {
    status: 401,
    cause: 'The token is unknown, its session was ended or has expired, or the driver was disabled.',
    remedy: 'Ask the driver to sign in, and send this token as `previousToken`.',
    message: 'Session terminée : reconnectez-vous.',
    extra: {},
  },
  WRONG_CREDENTIALS: {
    status: 401,
    cause: 'E-mail or password is wrong, the driver is disabled, or the account is locked after five wrong passwords.',
    remedy: 'Ask again; after five errors in a row wait 15 minutes.',
    message:
      'E-mail ou mot de passe incorrect. Après cinq erreurs de suite, attendez quinze minutes avant de réessayer.',
    extra: {},
  },
  LINK_INVALID: {
    status: 410,
    cause: 'The link is unknown, was used, was replaced or has expired, or the driver was disabled.',
    remedy: 'Offer to request another link.',
    message: 'Ce lien n’est plus valable : demandez-en un autre.',
    extra: {},
  },
  WEAK_PASSWORD: {
    status: 400,
    cause: 'The password has fewer than 10 characters, or is easy to guess. The link stays valid.',
    remedy: 'Ask for another password.',
    message:
      'Mot de passe trop facile à deviner : au moins 10 caractères, ni mot de passe courant, ni suite, ni votre nom. Quatre mots sans rapport conviennent.',
    extra: {},
  },
  PUSH_REFUSED: {
    status: 400,
    cause:
      'The service sends no push messages, the endpoint is no `https` URL of a public host, or a key is malformed.',
    remedy: 'Subscribe again with `pushKey`; do without push messages when it is null.',
    message: 'Les notifications ne peuvent pas être activées sur cet appareil.',
    extra: {},
  },
  OFFER_GONE: {
    status: 409,
    cause: 'Another driver was faster, the offer expired, or the shipment was cancelled.',
    remedy: 'Remove the offer from the screen.',
    message: 'Trop tard : cette course n’est plus proposée.',
    extra: {},
  },
  TOO_MANY_RUNS: {
    status: 409,
    cause: 'The driver already has the maximum number of runs.',
    remedy: 'Deliver one first; the offer stays open until it expires.',
    message: 'Vous avez déjà le nombre maximal de courses : terminez-en une avant d’accepter celle-ci.',
    extra: {},
  },
  NOT_ALLOWED_NOW: {
    status: 409,
    cause: 'The status of the shipment does not allow this step; it may have been cancelled meanwhile.',
    remedy: 'Read the shipment again and show its status.',
    message: 'Cette étape n’est pas possible maintenant : actualisez la course.',
    extra: {},
  },
  PICKUP_TOKEN_REQUIRED: {
    status: 403,
    cause: 'The pickup of a collection needs the contact’s QR code.',
    remedy: 'Scan it and send its content as `pickupToken`.',
    message: 'Scannez le QR code reçu par la personne qui remet le colis.',
    extra: {},
  },
  WRONG_PICKUP_TOKEN: {
    status: 403,
    cause: 'The QR code is unknown or belongs to another shipment.',
    remedy: 'Scan the code of this collection.',
    message: 'Ce QR code ne correspond pas à cette course : vérifiez le colis et le message reçu par le client.',
    extra: {},
  },
  WRONG_DELIVERY_CODE: {
    status: 403,
    cause: 'The delivery code is wrong. Every attempt counts, over all drivers and both channels.',
    remedy: 'Ask the recipient again; `attemptsLeft` is the number of remaining attempts.',
    message: 'Code incorrect : demandez au destinataire de le relire.',
    extra: { attemptsLeft: Type.Integer() },
  },
  DELIVERY_CODE_REQUIRED: {
    status: 403,
    cause: 'Neither `deliveryCode` nor `deliveryQr` was sent.',
    remedy: 'Ask the recipient for the code, or scan the QR code of their page.',
    message: 'Saisissez le code du destinataire, ou scannez le QR code de sa page.',
    extra: {},
  },
  WRONG_DELIVERY_QR: {
    status: 403,
    cause: 'The QR code was not signed by this service, has expired, or belongs to another parcel; `why` says which.',
    remedy: 'Ask the recipient to open their page again, or for the six figures.',
    message: 'Ce QR code ne permet pas de livrer ce colis : demandez au destinataire de rouvrir sa page, ou son code.',
    extra: { why: OneOf(['forged', 'expired', 'other_parcel']) },
  },
  COMMAND_ID_REUSED: {
    status: 409,
    cause: 'This `commandId` was used for another command or another parcel.',
    remedy: 'Make a new id for each command.',
    message: 'Cette action n’a pas été enregistrée : recommencez-la.',
    extra: {},
  },
  NOT_AN_IMAGE: {
    status: 400,
    cause: 'The content is no JPEG, PNG or WebP image, or is larger than 1 MB.',
    remedy: 'Scale the photo down and encode it as JPEG.',
    message: 'Cette photo ne peut pas être lue : prenez-en une autre.',
    extra: {},
  },
  TOO_MANY_PROOFS: {
    status: 409,
    cause: 'The shipment already has the maximum number of photos and signatures.',
    remedy: 'Send no more.',
    message: 'Ce colis a déjà le nombre maximal de photos.',
    extra: {},
  },
  DELIVERY_CODE_LOCKED: {
    status: 403,
    cause: 'Five wrong codes were sent for this shipment: no code is accepted any more.',
    remedy: 'The operator confirms the delivery.',
    message: 'Trop de codes incorrects : appelez l’exploitation, qui confirmera la livraison.',
    extra: {},
  },
});

export type DriverErrorSlug = keyof typeof DRIVER_SLUGS;

export const driverSlugEnvelope = (slug: DriverErrorSlug) =>
  Closed({
    success: Type.Unsafe<false>({ type: 'boolean', const: false }),
    error: OneOf([slug]),
    message: Type.String({ description: 'French text for the driver; do not parse it.' }),
    ...DRIVER_SLUGS[slug].extra,
  });
