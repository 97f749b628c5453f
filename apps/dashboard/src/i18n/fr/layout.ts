import shared from '@navette/ui/i18n/fr/layout.ts';

export default {
  ...shared,
  sections: { developers: 'Développeurs', account: 'Compte' },
  pages: {
    signIn: 'Connexion',
    overview: 'Vue d’ensemble',
    shipments: 'Envois',
    firstShipment: 'Premier envoi par API',
    keys: 'Clés API',
    webhooks: 'Webhooks',
    requests: 'Journal des requêtes',
    settings: 'Réglages et tarifs',
    ledger: 'Mouvements',
    team: 'Équipe',
  },
  roles: { owner: 'Propriétaire', developer: 'Développeur', operations: 'Exploitation', 'read-only': 'Lecture seule' },
  notFound: { ...shared.notFound, back: 'Revenir à la vue d’ensemble' },
};
