import type { DriverPushMessage, ShipmentStatus } from '@navette/contract';

type Texts = Pick<DriverPushMessage, 'title' | 'body'>;

/** French, and without personal data: a notification is shown on a locked screen. */
export const offerTexts = (referenceNumber: string): Texts => ({
  title: 'Nouvelle course',
  body: `La course ${referenceNumber} vous est proposée : répondez dans l’application.`,
});

export const withdrawnTexts = (referenceNumber: string): Texts => ({
  title: 'Course retirée',
  body: `La course ${referenceNumber} n’est plus proposée.`,
});

export function changedTexts(referenceNumber: string, status: ShipmentStatus, isTheirs: boolean): Texts {
  if (!isTheirs) return { title: 'Course retirée', body: `La course ${referenceNumber} n’est plus à vous.` };
  if (status === 'cancelled') return { title: 'Course annulée', body: `La course ${referenceNumber} a été annulée.` };
  if (status === 'assigned') return { title: 'Course attribuée', body: `La course ${referenceNumber} est à vous.` };
  return { title: 'Course modifiée', body: `La course ${referenceNumber} a changé : ouvrez l’application.` };
}
