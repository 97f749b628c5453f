import type { ErrorSlug } from '@navette/contract';

/** Cause and remedy of each slug in French, for docs/fr/errors.md. */
export const ERRORS_IN_FRENCH: Record<ErrorSlug, { cause: string; remedy: string }> = {
  MISSING_API_KEY: {
    cause: 'L’en-tête Authorization manque ou n’a pas la forme `Bearer <clé>`.',
    remedy: 'Envoyez `Authorization: Bearer <clé>`.',
  },
  MISSING_CLIENT_ID: {
    cause: 'La requête n’a d’identifiant client ni en en-tête, ni en paramètre, ni dans le corps.',
    remedy: 'Envoyez `X-Client-Id` avec l’identifiant client du compte.',
  },
  INVALID_API_KEY: {
    cause: 'La clé est inconnue ou a été révoquée.',
    remedy: 'Utilisez une autre clé, ou créez-en une.',
  },
  EXPIRED_API_KEY: { cause: 'La date d’expiration de la clé est passée.', remedy: 'Créez une nouvelle clé.' },
  PROFESSIONAL_NOT_FOUND: {
    cause: 'La clé est valide, mais son compte n’existe plus.',
    remedy: 'Contactez l’opérateur.',
  },
  INVALID_CLIENT_ID: {
    cause: 'L’identifiant client n’appartient pas au compte de la clé.',
    remedy: 'Envoyez la clé et l’identifiant client du même compte.',
  },
  INSUFFICIENT_PERMISSIONS: {
    cause: 'La clé n’a pas la permission que la méthode demande.',
    remedy: 'Utilisez une clé qui l’a : GET read, POST et PUT write, DELETE delete.',
  },
  INTERNAL_ERROR: {
    cause: 'Erreur interne.',
    remedy: 'Réessayez ; si l’erreur persiste, signalez le `X-Request-Id` de la réponse.',
  },
  CLIENT_TYPE_REQUIRED: {
    cause: 'L’opérateur n’a pas défini le type de client du compte.',
    remedy: 'Contactez l’opérateur ; ne réessayez pas.',
  },
  CONTRACT_SIGNATURE_REQUIRED: {
    cause: 'Le contrat du compte n’est pas signé.',
    remedy: 'Signez le contrat avec l’opérateur ; ne réessayez pas.',
  },
  PICKUP_ADDRESS_REQUIRED: {
    cause: 'Le compte n’a pas d’adresse d’enlèvement. Il en faut une même si la requête en contient une.',
    remedy: 'Appelez PUT /shipping/pickup-address, puis réessayez.',
  },
  PICKUP_ADDRESS_NOT_GEOCODABLE: {
    cause: 'L’adresse d’enlèvement n’a pas pu être localisée ; rien n’a été enregistré.',
    remedy: 'Renvoyez-la avec ses coordonnées.',
  },
  INSUFFICIENT_BALANCE: {
    cause: 'Le solde prépayé ne couvre pas le prix.',
    remedy: 'Rechargez le compte, puis réessayez avec la même clé d’idempotence.',
  },
  ACCOUNT_SUSPENDED: { cause: 'L’opérateur a suspendu le compte.', remedy: 'Réglez le montant dû à l’opérateur.' },
  PAYMENT_REQUIRED: {
    cause: 'Un paiement est dû, ou le délai de grâce est terminé.',
    remedy: 'Réglez le montant dû à l’opérateur.',
  },
  IDEMPOTENCY_KEY_CONFLICT: {
    cause: 'Un autre compte a utilisé la clé d’idempotence.',
    remedy: 'Réessayez avec une nouvelle clé.',
  },
};
