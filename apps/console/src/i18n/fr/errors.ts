import shared from '@navette/ui/i18n/fr/errors.ts';

/** By slug of the contract. */
export default {
  ...shared,
  ROLE_NOT_ALLOWED: 'Votre rôle ne permet pas cette action : demandez à un administrateur.',
  SECOND_FACTOR_MISSING: 'Activez d’abord la double authentification.',
  LAST_ADMIN: 'Il doit rester au moins un administrateur : nommez-en un autre d’abord.',
  SINGLE_SIGN_ON_FAILED: 'La connexion a échoué : recommencez, ou demandez un rôle à l’administrateur de vos accès.',
  PASSWORD_SIGN_IN_OFF: 'La connexion par mot de passe est désactivée : utilisez votre fournisseur d’identité.',
  CHANGED_MEANWHILE: 'Quelqu’un a agi entre-temps : vérifiez l’état actuel, puis décidez à nouveau.',
  OWN_REQUEST: 'Vous ne pouvez pas approuver votre propre demande.',
};
