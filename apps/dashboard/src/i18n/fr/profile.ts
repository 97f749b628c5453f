import shared from '@navette/ui/i18n/fr/profile.ts';

export default {
  ...shared,
  passkeys: {
    title: 'Clés d’accès',
    text: 'Connectez-vous avec votre empreinte, votre visage ou le code de votre appareil, sans mot de passe ni code à saisir.',
    none: 'Aucune clé d’accès pour l’instant.',
    add: 'Ajouter une clé d’accès',
    addText:
      'Votre navigateur vous demandera ensuite où enregistrer la clé : cet appareil, votre téléphone ou une clé de sécurité.',
    name: 'Nom de la clé',
    nameExample: 'Téléphone de Zoé',
    continue: 'Continuer',
    cancelled: 'La création a été annulée ou l’appareil n’a pas répondu.',
    isAdded: 'Clé d’accès ajoutée.',
    added: 'Ajoutée le',
    used: 'utilisée le',
    neverUsed: 'jamais utilisée',
    remove: 'Supprimer',
    removeWhat: 'Supprimer « {{name}} »',
    removeText: 'Elle ne permettra plus de se connecter. Effacez-la ensuite de l’appareil qui la garde.',
    isRemoved: 'Clé d’accès supprimée.',
  },
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
