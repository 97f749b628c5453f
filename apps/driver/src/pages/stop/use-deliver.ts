import type { DriverShipment } from '@navette/contract';
import { useState } from 'react';
import { playAlert } from '../../alerts/alert.ts';
import { useText } from '../../i18n/text.ts';
import type { CommandRefusal } from '../../outbox/entry.ts';
import { submit } from '../../outbox/outbox.ts';
import { navigate } from '../../router.ts';

const WAIT_MS = 5_000; // with network the answer takes less; without, the recipient need not wait longer

/** Delivers with a code or a scanned QR code. Without network the answer comes later, as a card if it is a refusal. */
export function useDeliver({ id, referenceNumber }: Pick<DriverShipment, 'id' | 'referenceNumber'>) {
  const { t } = useText();
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<string | null>(null);

  async function deliver(body: { deliveryCode: string } | { deliveryQr: string }): Promise<boolean> {
    setSending(true);
    setError(null);
    const result = await submit({ name: 'deliver', shipmentId: id, referenceNumber, body }, WAIT_MS);
    setSending(false);
    if (result !== 'done' && result !== 'waiting') {
      setError(explain(result));
      return false;
    }
    playAlert('done');
    navigate(`/stop/${id}`, { replace: true });
    return true;
  }

  function explain({ slug, extra, message }: CommandRefusal): string {
    if (slug === 'WRONG_DELIVERY_CODE') return t.code.attemptsLeft(Number(extra.attemptsLeft));
    const texts: Record<string, string> = t.errors;
    return texts[slug ?? ''] ?? message;
  }

  return { deliver, isSending, error };
}
