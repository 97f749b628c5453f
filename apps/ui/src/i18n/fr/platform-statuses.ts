import type english from '../en/platform-statuses.ts';

const platformStatuses: typeof english = {
  waiting: 'Transmission à la plateforme en cours',
  handed_over: 'Transmise à la plateforme',
  deposited: 'Déposée',
  received: 'Reçue par la plateforme de l’acheteur',
  available: 'Mise à disposition de l’acheteur',
  taken_over: 'Prise en charge',
  approved: 'Approuvée',
  partly_approved: 'Approuvée partiellement',
  disputed: 'En litige',
  suspended: 'Suspendue',
  refused: 'Refusée par l’acheteur',
  payment_sent: 'Paiement transmis',
  paid: 'Encaissée',
  rejected: 'Rejetée par la plateforme',
  other: 'Autre statut',
};
export default platformStatuses;
