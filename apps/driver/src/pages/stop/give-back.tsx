import type { DriverShipment } from '@navette/contract';
import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { submit } from '../../outbox/outbox.ts';
import { Button } from '../../parts/controls.tsx';
import { navigate } from '../../router.ts';

/** Before the pickup only: the search for another driver starts. Asks once more, because it cannot be undone. */
export function GiveBack({ shipment: { id, referenceNumber } }: { shipment: DriverShipment }) {
  const { t } = useText();
  const [isAsking, setAsking] = useState(false);
  async function giveBack() {
    await submit({ name: 'abandon', shipmentId: id, referenceNumber, body: {} });
    navigate('/', { replace: true });
  }
  return (
    <section className="give-back">
      <p>{t.problem.giveBackText}</p>
      {isAsking ? (
        <div className="buttons">
          <Button look="danger" onClick={() => void giveBack()}>
            {t.problem.giveBackConfirm}
          </Button>
          <Button onClick={() => setAsking(false)}>{t.problem.keep}</Button>
        </div>
      ) : (
        <Button onClick={() => setAsking(true)}>{t.problem.giveBack}</Button>
      )}
    </section>
  );
}
