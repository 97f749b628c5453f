import shared from '@navette/ui/i18n/fr/layout.ts';

export default {
  ...shared,
  sections: { company: 'Entreprise' },
  pages: {
    inbox: 'À traiter',
    dispatch: 'Régulation',
    map: 'Carte',
    approvals: 'Approbations',
    figures: 'Chiffres',
    merchants: 'Commerçants',
    payments: 'Paiements',
    invoices: 'Factures',
    drivers: 'Livreurs',
    staff: 'Équipe',
    log: 'Journal des actes',
  },
  roles: {
    dispatcher: 'Régulateur',
    support: 'Assistance',
    accountant: 'Comptable',
    admin: 'Administrateur',
  },
  notAllowed: {
    title: 'Votre rôle ne donne pas accès à cette page',
    text: 'Vous avez le rôle « {{role}} ». Cette page est réservée au rôle : {{roles}}. Demandez à un administrateur.',
  },
  notFound: { ...shared.notFound, back: 'Revenir à la liste à traiter' },
};
