export default {
  title: 'Paiements',
  text: 'Rechargez le compte ou réglez ce qui est dû. Le montant est crédité dès que le paiement est confirmé.',
  noWay: 'Le paiement se fait auprès de votre opérateur',
  latest: 'Derniers paiements',
  seeLedger: 'Voir tous les mouvements',
  refunded: 'Dont remboursé ou contesté :',
  emptyTitle: 'Aucun paiement pour l’instant',
  emptyText: 'Vos paiements en ligne et vos virements reçus apparaîtront ici.',
  online: {
    title: 'Par carte ou prélèvement SEPA',
    text: 'Vous payez sur la page sécurisée de Stripe, puis revenez ici. Une carte est créditée aussitôt, un prélèvement après quelques jours.',
    amount: 'Montant',
    bounds: 'De {{minimum}} à {{maximum}}',
    pay: 'Payer {{amount}}',
    payNothing: 'Payer',
    notAllowed: 'Votre rôle ne permet pas de payer en ligne : demandez à un propriétaire du compte.',
  },
  automatic: {
    title: 'Recharge automatique',
    text: 'Ne tombez plus à court : quand le solde passe sous une limite, un montant est prélevé, trois fois par jour au plus. Le premier paiement, sur la page de Stripe, y enregistre votre carte ou votre compte.',
    isOn: 'Active : quand le solde passe sous la limite, le montant est prélevé avec le moyen de paiement enregistré chez Stripe, trois fois par jour au plus.',
    pending: 'Elle sera active dès que le premier paiement est confirmé.',
    replace: 'Payer {{amount}} par un autre moyen et l’enregistrer',
    replacing:
      'Un autre moyen de paiement attend la confirmation de son premier paiement. D’ici là, l’actuel reste utilisé.',
    threshold: 'Quand le solde passe sous',
    thresholdMissing: 'Indiquez un solde',
    amount: 'Montant prélevé',
    start: 'Activer et payer {{amount}}',
    save: 'Enregistrer',
    saved: 'Recharge automatique modifiée',
    stop: 'Désactiver',
    stopTitle: 'Désactiver la recharge automatique ?',
    stopText: 'Plus rien ne sera prélevé automatiquement. Un prélèvement déjà en cours n’est pas annulé.',
    notAllowed: 'Seul un propriétaire du compte peut la modifier.',
    off: {
      refused: 'Désactivée : la banque a refusé le dernier paiement. Réactivez-la avec un autre moyen de paiement.',
      authentication_required:
        'Désactivée : la banque demande votre confirmation. Réactivez-la, le paiement se fera sur la page de Stripe.',
      not_paid: 'Désactivée : le premier paiement n’a pas été effectué.',
    },
  },
  transfer: {
    title: 'Par virement',
    text: 'Indiquez la référence dans le motif du virement : elle permet de créditer votre compte.',
    beneficiary: 'Bénéficiaire',
    reference: 'Référence à indiquer',
    iban: 'IBAN',
    bic: 'BIC',
    delay:
      'Un virement est crédité quand votre opérateur l’a enregistré, en général un à deux jours ouvrés après l’envoi.',
  },
  contact: {
    at: 'Contactez votre opérateur :',
    unknown: 'Contactez votre opérateur.',
  },
  wayOut: {
    pay: 'Recharger ou payer',
    address: 'Ajouter l’adresse',
  },
  methods: {
    checkout: 'Paiement en ligne',
    automatic: 'Recharge automatique',
    transfer: 'Virement',
  },
  states: {
    open: 'Non payé',
    processing: 'Prélèvement en cours',
    succeeded: 'Crédité',
    failed: 'Échoué',
    expired: 'Abandonné',
    review: 'En vérification',
    waiting: 'En vérification',
    rejected: 'Refusé',
  },
  outcome: {
    open: {
      title: 'Paiement de {{amount}} : confirmation en attente',
      text: 'Stripe n’a pas encore confirmé ce paiement. Cette page se met à jour d’elle-même, vous pouvez aussi la quitter.',
    },
    left: {
      title: 'Le paiement de {{amount}} n’est pas terminé',
      text: 'Rien n’a été débité. Vous pouvez le reprendre pendant une heure.',
      resume: 'Reprendre le paiement',
    },
    processing: {
      title: 'Prélèvement de {{amount}} en cours',
      text: 'Votre banque doit encore le confirmer, ce qui prend quelques jours. Le montant n’est pas encore crédité.',
    },
    succeeded: {
      title: '{{amount}} crédités',
      text: 'Le paiement est confirmé et figure dans vos mouvements.',
    },
    failed: {
      title: 'Le paiement de {{amount}} a échoué',
      text: 'Rien n’a été crédité. Essayez une autre carte ou un autre compte.',
    },
    expired: {
      title: 'Le paiement de {{amount}} a été abandonné',
      text: 'La page de paiement a expiré, rien n’a été débité. Vous pouvez en commencer un autre.',
    },
    review: {
      title: 'Le paiement de {{amount}} est en vérification',
      text: 'Le montant reçu n’est pas celui demandé : votre opérateur vérifie avant de le créditer.',
    },
    waiting: {
      title: 'Le paiement de {{amount}} est en vérification',
      text: 'Votre opérateur le vérifie avant de le créditer.',
    },
    rejected: {
      title: 'Le paiement de {{amount}} n’a pas été crédité',
      text: 'Votre opérateur l’a refusé après vérification et vous rend l’argent. Contactez-le pour en connaître la raison.',
    },
  },
};
