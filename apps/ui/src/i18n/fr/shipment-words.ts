import { INCIDENT_WORDS } from '@navette/contract/incident-words';
/** Names of things that happen to a shipment, for merchants and the operator. */
export default {
  incidentKinds: INCIDENT_WORDS.fr,
  reportKinds: {
    not_received: 'Colis non reçu, selon le destinataire',
    damaged: 'Colis ou contenu abîmé, selon le destinataire',
    incomplete: 'Contenu incomplet, selon le destinataire',
    other: 'Problème signalé par le destinataire',
  },
  messageKinds: {
    'recipient-sms': 'SMS au destinataire',
    'recipient-email': 'E-mail au destinataire',
    'collection-sms': 'SMS au contact de la collecte',
    'collection-email': 'E-mail au contact de la collecte',
    'zone-email': 'E-mail sur un retard dans le secteur',
    'booked-email': 'E-mail du créneau réservé',
    'next-email': 'E-mail du prochain arrêt',
    'soon-sms': 'SMS peu avant l’arrivée',
    'delivered-email': 'E-mail de livraison',
    'cancelled-email': 'E-mail d’annulation',
  },
};
