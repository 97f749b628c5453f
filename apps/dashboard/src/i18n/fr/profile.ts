import shared from '@navette/ui/i18n/fr/profile.ts';

export default {
  ...shared,
  sessions: {
    title: 'Sessions ouvertes',
    text: 'Les navigateurs sur lesquels vous êtes connecté.',
    unknownDevice: 'Navigateur inconnu',
    current: 'Cette session',
    seen: 'Dernière activité le',
    opened: 'ouverte le',
    close: 'Déconnecter',
    closeWhat: 'Déconnecter : {{device}}',
    closed: 'Session fermée.',
    everywhere: 'Se déconnecter partout',
    everywhereTitle: 'Se déconnecter partout ?',
    everywhereText: 'Toutes vos sessions seront fermées, y compris celle-ci.',
  },
};
