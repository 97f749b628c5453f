import type { Language } from '../dashboard/roles.ts';
import type { IncidentKind } from './incidents.ts';

/** For people who read about an incident, in apps and files. The driver, who reports it, has words of their own. */
export const INCIDENT_WORDS: Record<Language, Record<IncidentKind, string>> = {
  fr: {
    recipient_absent: 'Destinataire absent',
    recipient_refuses: 'Colis refusé par le destinataire',
    wrong_address: 'Adresse incorrecte',
    damaged: 'Colis abîmé',
    unreachable: 'Lieu inaccessible',
    other: 'Autre problème',
    code_refused: 'Code de livraison incorrect',
  },
  en: {
    recipient_absent: 'Recipient absent',
    recipient_refuses: 'Parcel refused by the recipient',
    wrong_address: 'Wrong address',
    damaged: 'Parcel damaged',
    unreachable: 'Place cannot be reached',
    other: 'Another problem',
    code_refused: 'Wrong delivery code',
  },
};
