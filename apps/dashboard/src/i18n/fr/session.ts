import shared from '@navette/ui/i18n/fr/session.ts';

export default {
  ...shared,
  signIn: {
    ...shared.signIn,
    or: 'ou',
    passkey: 'Utiliser une clé d’accès',
    passkeyCancelled: 'Aucune clé d’accès n’a été utilisée.',
    firstTime: 'Pas encore d’accès ? Un propriétaire du compte peut vous inviter depuis la page Équipe.',
  },
  invitation: {
    ...shared.invitation,
    title: 'Rejoindre {{account}}',
    text: '{{who}} vous invite au tableau de bord de {{account}}, avec le rôle « {{role}} ».',
    operator: 'Votre opérateur de livraison',
  },
};
