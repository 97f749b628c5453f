const HEADER = 'Commande;Destinataire;Adresse;Code postal;Ville;Téléphone;E-mail;Poids (kg);Contenu;Date;Créneau;Notes';

/** A valid line; `changes` override its columns by header. */
export function importLine(order: string, changes: Record<string, string> = {}): string {
  const cells: Record<string, string> = {
    Commande: order,
    Destinataire: 'Camille Durand',
    Adresse: '8 avenue de l’Opéra',
    'Code postal': '75001',
    Ville: 'Paris',
    Téléphone: '+33612345678',
    'E-mail': 'camille@example.org',
    'Poids (kg)': '2,5',
    Contenu: 'Vêtements',
    ...changes,
  };
  return HEADER.split(';')
    .map((title) => cells[title] ?? '')
    .join(';');
}

export const importFile = (lines: string[]): string => `\uFEFF${[HEADER, ...lines].join('\r\n')}\r\n`;

/** Seven invalid lines, each with the field and the rule that it breaks. */
export const BAD_LINES: [changes: Record<string, string>, field: string, rule: string][] = [
  [{ Destinataire: '' }, 'deliveryAddress.recipientName', 'required'],
  [{ 'E-mail': 'pas-une-adresse' }, 'deliveryAddress.email', 'format'],
  [{ 'Poids (kg)': 'lourd' }, 'parcelDetails.weight', 'type'],
  [{ 'Poids (kg)': '0' }, 'parcelDetails.weight', 'exclusiveMinimum'],
  [{ Créneau: '14h-16h' }, 'scheduledDate', 'SLOT_WITHOUT_DATE'],
  [{ Date: '20/05/2020', Créneau: '14h-16h' }, 'timeSlot', 'SLOT_PASSED'],
  [{ Date: '31/02/2031', Créneau: '14h-16h' }, 'scheduledDate', 'format'],
];
