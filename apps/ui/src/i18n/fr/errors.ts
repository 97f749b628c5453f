/** Sign-in slugs of the contract, then errors without a slug. */
export default {
  NOT_REACHED: 'Le serveur ne répond pas. Vérifiez votre connexion, puis réessayez.',
  NOT_SIGNED_IN: 'Votre session a expiré : reconnectez-vous.',
  BAD_CSRF_TOKEN: 'Cette page n’est plus à jour : rechargez-la.',
  FOREIGN_ORIGIN: 'Requête refusée : elle vient d’un autre site.',
  WRONG_CREDENTIALS:
    'E-mail ou mot de passe incorrect. Après cinq erreurs de suite, attendez quinze minutes avant de réessayer.',
  WRONG_SECOND_FACTOR:
    'Code incorrect ou déjà utilisé. Après cinq erreurs de suite, attendez quinze minutes ; l’attente s’allonge à chaque nouvelle série d’erreurs.',
  WRONG_PASSWORD: 'Mot de passe incorrect. Après cinq erreurs de suite, attendez quinze minutes avant de réessayer.',
  WRONG_CODE: 'Code incorrect ou déjà utilisé : attendez le suivant.',
  LINK_GONE: 'Ce lien n’est plus valable : demandez-en un nouveau.',
  EMAIL_TAKEN: 'Cette adresse e-mail est déjà utilisée.',
  SECOND_FACTOR_ON: 'La double authentification est déjà activée.',
  SECOND_FACTOR_OFF: 'La double authentification n’est pas activée : recommencez.',
  INTERNAL_ERROR: 'Un problème est survenu de notre côté. Réessayez dans un instant.',
  unknown: 'Un problème inattendu est survenu. Rechargez la page.',
  fields: 'Certains champs sont à corriger.',
  notFound: 'Introuvable : cet élément n’existe pas ou n’existe plus.',
  tooMany: 'Trop de requêtes : patientez une minute, puis réessayez.',
  internal: 'Un problème est survenu de notre côté. Réessayez dans un instant.',
  rules: {
    guessable:
      'Trop facile à deviner. Évitez les mots de passe courants, les suites, votre adresse e-mail et le nom du compte ; quatre mots sans rapport conviennent.',
    required: 'Champ obligatoire',
    minLength: 'Champ obligatoire ({{limit}} caractères minimum)',
    maxLength: '{{limit}} caractères maximum',
    minimum: '{{limit}} minimum',
    exclusiveMinimum: 'Doit être supérieur à {{limit}}',
    maximum: '{{limit}} maximum',
    format: 'Format incorrect',
    pattern: 'Format incorrect',
    enum: 'Valeur inconnue',
    type: 'Valeur incorrecte',
  },
};
