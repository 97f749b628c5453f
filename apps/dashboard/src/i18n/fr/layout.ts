import shared from '@navette/ui/i18n/fr/layout.ts';

export default {
  ...shared,
  sections: { developers: 'Développeurs', account: 'Compte' },
  pages: {
    signIn: 'Connexion',
    overview: 'Vue d’ensemble',
    shipments: 'Envois',
    recurring: 'Envois récurrents',
    firstShipment: 'Premier envoi par API',
    keys: 'Clés API',
    webhooks: 'Webhooks',
    requests: 'Journal des requêtes',
    settings: 'Réglages et tarifs',
    messages: 'Messages',
    invoices: 'Factures',
    ledger: 'Mouvements',
    team: 'Équipe',
  },
  testMode: {
    switch: 'Mode test',
    short: 'Test',
    title: 'Mode test',
    text: 'Aucun SMS ni e-mail n’est envoyé, aucun livreur réel n’est prévenu et rien n’est facturé.',
    clock: 'L’horloge du mode test indique {{at}}.',
    leave: 'Revenir aux envois réels',
  },
  help: {
    docs: 'Aide et documentation',
    shortcuts: 'Raccourcis clavier',
    keys: {
      search: 'Rechercher un envoi (page des envois)',
      newShipment: 'Créer un envoi (pages des envois)',
      shortcuts: 'Afficher cette liste',
      close: 'Fermer une fenêtre, vider la sélection',
    },
  },
  forbidden: {
    title: 'Page réservée à d’autres rôles',
    text: 'Votre rôle ({{role}}) ne donne pas accès à cette page. Un propriétaire du compte peut le changer dans Équipe.',
  },
  roles: { owner: 'Propriétaire', developer: 'Développeur', operations: 'Exploitation', 'read-only': 'Lecture seule' },
  view: {
    title: 'Vous consultez le tableau de bord de {{account}}, en lecture seule',
    text: '{{name}}, jusqu’à {{time}}. Motif : {{reason}}',
    end: 'Terminer la consultation',
  },
  notFound: { ...shared.notFound, back: 'Revenir à la vue d’ensemble' },
};
