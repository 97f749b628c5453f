import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { RATE_WINDOWS } from './limits.ts';
import { Closed, Euros, Instant, Nullable, OneOf } from './schema-kit.ts';
import { PAYMENT_STATUSES } from './statuses.ts';

const contractState = {
  clientType: Nullable(Type.String({ description: 'Null: the operator has not set it.' })),
  contractVersion: Nullable(Type.String({ description: 'The version of the contract to sign.' })),
};
const paymentState = {
  amountDue: Euros({ description: 'The amount that the account owes.' }),
  paymentStatus: OneOf(PAYMENT_STATUSES, { description: 'Payment status of the account.' }),
  gracePeriodEndsAt: Nullable(Instant({ description: 'Until when shipments can be created.' })),
};

interface SlugDefinition {
  status: number;
  /** `access`: authentication and limits, for every endpoint. `business`: the endpoint itself. */
  kind: 'access' | 'business';
  cause: string;
  remedy: string;
  /** For people, in French; clients branch on the slug. */
  message: string;
  extra: TProperties;
}

const define = <const T extends Record<string, SlugDefinition>>(slugs: T) => slugs;

/** Every slug of the API except VALIDATION_ERROR, which has an envelope of its own (see below). */
export const ERROR_SLUGS = define({
  MISSING_API_KEY: {
    status: 401,
    kind: 'access',
    cause: 'The Authorization header is missing or not of the form `Bearer <key>`.',
    remedy: 'Send `Authorization: Bearer <key>`.',
    message: 'Clé API manquante : envoyez l’en-tête « Authorization: Bearer <clé> ».',
    extra: {},
  },
  MISSING_CLIENT_ID: {
    status: 401,
    kind: 'access',
    cause: 'The request has no client id in a header, the query or the body.',
    remedy: 'Send `X-Client-Id` with the account’s client id.',
    message: 'Identifiant client manquant : envoyez l’en-tête « X-Client-Id ».',
    extra: {},
  },
  INVALID_API_KEY: {
    status: 401,
    kind: 'access',
    cause: 'The key is unknown or was revoked.',
    remedy: 'Use another key, or create one.',
    message: 'Clé API inconnue ou révoquée.',
    extra: {},
  },
  EXPIRED_API_KEY: {
    status: 401,
    kind: 'access',
    cause: 'The key’s expiry date has passed.',
    remedy: 'Create a new key.',
    message: 'Clé API expirée : créez-en une nouvelle.',
    extra: {},
  },
  PROFESSIONAL_NOT_FOUND: {
    status: 401,
    kind: 'access',
    cause: 'The key is valid, but its account no longer exists.',
    remedy: 'Contact the operator.',
    message: 'Le compte de cette clé n’existe plus : contactez votre opérateur.',
    extra: {},
  },
  INVALID_CLIENT_ID: {
    status: 403,
    kind: 'access',
    cause: 'The client id does not belong to the key’s account.',
    remedy: 'Send the key and the client id of the same account.',
    message: 'L’identifiant client ne correspond pas au compte de la clé.',
    extra: {},
  },
  INSUFFICIENT_PERMISSIONS: {
    status: 403,
    kind: 'access',
    cause: 'The key does not have the scope that the method needs.',
    remedy: 'Use a key with that scope: GET read, POST and PUT write, DELETE delete.',
    message: 'La clé n’a pas la permission requise par cette méthode.',
    extra: {},
  },
  INTERNAL_ERROR: {
    status: 500,
    kind: 'access',
    cause: 'Internal error.',
    remedy: 'Retry; if the error persists, report the `X-Request-Id` of the response.',
    message: 'Erreur interne.',
    extra: {},
  },
  CLIENT_TYPE_REQUIRED: {
    status: 403,
    kind: 'business',
    cause: 'The operator has not set the account’s client type.',
    remedy: 'Contact the operator; do not retry.',
    message: 'Le type de client n’est pas encore défini : contactez votre opérateur.',
    extra: contractState,
  },
  CONTRACT_SIGNATURE_REQUIRED: {
    status: 403,
    kind: 'business',
    cause: 'The account’s contract is not signed.',
    remedy: 'Sign the contract with the operator; do not retry.',
    message: 'Le contrat n’est pas signé : signez-le avec votre opérateur.',
    extra: contractState,
  },
  PICKUP_ADDRESS_REQUIRED: {
    status: 403,
    kind: 'business',
    cause: 'The account has no pickup address. It needs one even if the request contains a pickup address.',
    remedy: 'Call PUT /shipping/pickup-address, then retry.',
    message: 'Aucune adresse de retrait : appelez PUT /shipping/pickup-address puis réessayez.',
    extra: {},
  },
  PICKUP_ADDRESS_NOT_GEOCODABLE: {
    status: 400,
    kind: 'business',
    cause: 'The pickup address could not be geocoded; nothing was saved.',
    remedy: 'Send it again with coordinates.',
    message:
      'Adresse impossible à localiser pour l’instant, rien n’a été enregistré : renvoyez-la avec ses coordonnées.',
    extra: {},
  },
  INSUFFICIENT_BALANCE: {
    status: 403,
    kind: 'business',
    cause: 'The prepaid balance does not cover the price.',
    remedy: 'Top up the account, then retry with the same idempotency key.',
    message: 'Solde insuffisant : rechargez le compte puis réessayez.',
    extra: {
      currentBalance: Euros({ description: 'The balance.' }),
      requiredAmount: Euros({ description: 'The price of the shipment.' }),
    },
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    kind: 'business',
    cause: 'The operator has suspended the account.',
    remedy: 'Pay the amount due to the operator.',
    message: 'Compte suspendu : contactez votre opérateur.',
    extra: paymentState,
  },
  PAYMENT_REQUIRED: {
    status: 403,
    kind: 'business',
    cause: 'A payment is due, or the grace period has ended.',
    remedy: 'Pay the amount due to the operator.',
    message: 'Paiement requis : réglez le montant dû pour continuer.',
    extra: paymentState,
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    status: 409,
    kind: 'business',
    cause: 'Another account has used the idempotency key.',
    remedy: 'Retry with a new key.',
    message: 'Cette clé d’idempotence est déjà utilisée : générez-en une nouvelle.',
    extra: {},
  },
});

export type ErrorSlug = keyof typeof ERROR_SLUGS;
export type ErrorExtra<S extends ErrorSlug> = {
  [F in keyof (typeof ERROR_SLUGS)[S]['extra']]: (typeof ERROR_SLUGS)[S]['extra'][F] extends TSchema
    ? Static<(typeof ERROR_SLUGS)[S]['extra'][F]>
    : never;
};

export const Failure = Type.Unsafe<false>({ type: 'boolean', const: false, description: 'False: the request failed.' });
const failed = { success: Failure };
const slugText = { description: 'The slug: branch on it.' };
const message = Type.String({ description: 'French text for people; do not parse it.' });

export const slugEnvelope = (slug: ErrorSlug) =>
  Closed({ ...failed, error: OneOf([slug], slugText), message, ...ERROR_SLUGS[slug].extra });

export const MessageOnly = Closed({ ...failed, message }, { title: 'MessageOnly' });

export const FieldErrors = Closed(
  {
    ...failed,
    errors: Type.Array(
      Closed(
        {
          type: OneOf(['field'], { description: 'Always `field`.' }),
          msg: message,
          path: Type.String({ description: 'The field.', examples: ['parcelDetails.nature'] }),
          location: OneOf(['body', 'query', 'params', 'headers'], { description: 'The part of the request.' }),
        },
        { title: 'FieldError', description: 'A field that is missing or invalid.' },
      ),
      { minItems: 1, description: 'All invalid fields.' },
    ),
  },
  { title: 'FieldErrors' },
);
export type FieldError = Static<typeof FieldErrors>['errors'][number];

export const RateLimited = Closed(
  { ...failed, message, window: OneOf(RATE_WINDOWS, { description: 'The longest window whose limit is reached.' }) },
  { title: 'RateLimited' },
);

/** Webhook endpoints return this for every failure, internal errors included. */
export const ValidationError = Closed(
  {
    ...failed,
    error: OneOf(['VALIDATION_ERROR'], slugText),
    message,
    details: Type.String({ description: 'For logs only.' }),
  },
  { title: 'ValidationError' },
);
