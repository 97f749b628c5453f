import Type, { type TProperties } from 'typebox';
import { Closed, OneOf } from '../schema-kit.ts';

interface DriverSlug {
  status: number;
  /** What brought it about and what the app should do, for its developers. */
  cause: string;
  remedy: string;
  /** What the driver reads: it says what to do. */
  message: string;
  extra: TProperties;
}

const define = <const T extends Record<string, DriverSlug>>(slugs: T) => slugs;

export const MAX_WRONG_DELIVERY_CODES = 5; // per shipment, whoever tries; then only the operator can confirm

/** Every slug of the driver API beside INTERNAL_ERROR, which is the merchants' own. */
export const DRIVER_SLUGS = define({
  MISSING_TOKEN: {
    status: 401,
    cause: 'No Authorization header, or not in the form `Bearer <token>`.',
    remedy: 'Open a session and send its token.',
    message: 'Session absente : connectez-vous.',
    extra: {},
  },
  INVALID_TOKEN: {
    status: 401,
    cause: 'The token is unknown, its session was closed, or the driver was disabled.',
    remedy: 'Forget the token and ask the driver to sign in.',
    message: 'Session terminée : reconnectez-vous.',
    extra: {},
  },
  WRONG_CREDENTIALS: {
    status: 401,
    cause: 'E-mail or password is wrong, the driver is disabled, or the account is locked after five wrong passwords.',
    remedy: 'Ask again; after five errors in a row wait a quarter of an hour.',
    message:
      'E-mail ou mot de passe incorrect. Après cinq erreurs de suite, attendez quinze minutes avant de réessayer.',
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
    cause: 'The driver has as many shipments in hand as one may have.',
    remedy: 'Deliver one first; the offer stays open until it expires.',
    message: 'Vous avez déjà le nombre maximal de courses : terminez-en une avant d’accepter celle-ci.',
    extra: {},
  },
  NOT_ALLOWED_NOW: {
    status: 409,
    cause: 'The shipment’s status does not allow this step; it may have been cancelled meanwhile.',
    remedy: 'Read the shipment again and show its status.',
    message: 'Cette étape n’est pas possible maintenant : actualisez la course.',
    extra: {},
  },
  PICKUP_TOKEN_REQUIRED: {
    status: 403,
    cause: 'A collection is picked up by scanning the contact’s QR code.',
    remedy: 'Scan it and send what it holds as `pickupToken`.',
    message: 'Scannez le QR code reçu par la personne qui remet le colis.',
    extra: {},
  },
  WRONG_PICKUP_TOKEN: {
    status: 403,
    cause: 'The QR code is not one of ours, or belongs to another shipment.',
    remedy: 'Scan the code of this collection.',
    message: 'Ce QR code ne correspond pas à cette course : vérifiez le colis et le message reçu par le client.',
    extra: {},
  },
  WRONG_DELIVERY_CODE: {
    status: 403,
    cause: 'The code is not the recipient’s. It counts, whoever tried and over whichever channel.',
    remedy: 'Ask the recipient again; `attemptsLeft` says how often.',
    message: 'Code incorrect : demandez au destinataire de le relire.',
    extra: { attemptsLeft: Type.Integer() },
  },
  DELIVERY_CODE_LOCKED: {
    status: 403,
    cause: 'Five wrong codes were sent for this shipment: even the right one opens nothing any more.',
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
    message: Type.String({ description: 'French prose for the driver, not to be parsed.' }),
    ...DRIVER_SLUGS[slug].extra,
  });
