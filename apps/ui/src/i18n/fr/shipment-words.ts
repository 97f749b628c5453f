/** Names of things that happen to a shipment, for merchants and the operator. */
export default {
  incidentKinds: {
    recipient_absent: 'Destinataire absent',
    recipient_refuses: 'Colis refusé par le destinataire',
    wrong_address: 'Adresse incorrecte',
    damaged: 'Colis abîmé',
    unreachable: 'Lieu inaccessible',
    other: 'Autre problème',
    code_refused: 'Code de livraison incorrect',
  },
  messageKinds: {
    'recipient-sms': 'SMS au destinataire',
    'recipient-email': 'E-mail au destinataire',
    'collection-sms': 'SMS au contact de la collecte',
    'collection-email': 'E-mail au contact de la collecte',
  },
};
