export default {
  states: {
    available: 'disponible',
    unavailable: 'indisponible',
    disabled: 'désactivé',
    located: 'position connue',
    notLocated: 'position inconnue',
    autoAccept: 'accepte automatiquement',
  },
  runs: { title: 'Colis en cours', empty: 'Aucun colis en cours.' },
  ended: { title: 'Terminés aujourd’hui', empty: 'Rien de terminé aujourd’hui.' },
  incidents: { title: 'Derniers incidents', empty: 'Aucun incident.', open: 'ouvert' },
  sessions: {
    title: 'Appareils connectés',
    empty: 'Aucun appareil connecté.',
    unknownDevice: 'Appareil inconnu',
    used: 'vu le',
    expires: 'expire le',
    end: 'Déconnecter partout',
    askTitle: 'Déconnecter {{name}} ?',
    askText:
      'Tous ses appareils sont déconnectés tout de suite, comme après la perte d’un téléphone. Le livreur peut se reconnecter avec son mot de passe.',
    done: '{{name}} est déconnecté partout.',
  },
  pay: {
    title: 'Rémunération du mois',
    total: 'Ce mois-ci',
    balance: 'Solde',
    empty: 'Aucune écriture ce mois-ci.',
    kinds: { correction: 'Correction', run: 'Course' },
  },
};
