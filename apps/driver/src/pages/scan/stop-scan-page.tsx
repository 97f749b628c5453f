import { useState } from 'react';
import { playAlert } from '../../alerts/alert.ts';
import { currentSkew } from '../../api/call.ts';
import { toServerTime } from '../../clock/server-clock.ts';
import { useText } from '../../i18n/text.ts';
import { submit } from '../../outbox/outbox.ts';
import { ButtonLink } from '../../parts/controls.tsx';
import { Message, Result } from '../../parts/message.tsx';
import { Screen } from '../../parts/screen.tsx';
import { navigate } from '../../router.ts';
import type { RunView } from '../../runs/run-view.ts';
import { looksLikeDeliveryQr, verifyDeliveryQr } from '../../scanning/delivery-qr.ts';
import { sessionStore } from '../../session/session.ts';
import { useDeliver } from '../stop/use-deliver.ts';
import { Scanner } from './scanner.tsx';

const WAIT_MS = 5_000;

/** Scans the QR code that the stop needs: the contact's at a collection, the recipient's at a delivery. */
export function StopScanPage({ run }: { run: RunView }) {
  return run.shipment.status === 'assigned' ? <PickupScan run={run} /> : <DeliveryScan run={run} />;
}

/** Verified on the phone, without network; the server verifies it again when the delivery arrives. */
function DeliveryScan({ run: { shipment } }: { run: RunView }) {
  const { t } = useText();
  const [verdict, setVerdict] = useState<string | null>(null);
  const [isValid, setValid] = useState(false);
  const { deliver, error } = useDeliver(shipment);

  async function check(text: string) {
    if (!looksLikeDeliveryQr(text)) return setVerdict(t.scan.notDelivery);
    const keys = sessionStore.get()?.deliveryKeys ?? [];
    const now = toServerTime(Date.now(), currentSkew());
    const result = await verifyDeliveryQr(text, { referenceNumber: shipment.referenceNumber, keys, now });
    if (result !== 'valid' && result !== 'unsupported') return setVerdict(t.scan[result]);
    setVerdict(null);
    setValid(result === 'valid');
    if (result === 'valid') playAlert('done');
    await deliver({ deliveryQr: text });
  }

  return (
    <Screen title={t.scan.deliveryTitle} back={`/stop/${shipment.id}/code`}>
      <Scanner hint={t.scan.deliveryHint} onText={(text) => void check(text)} />
      {isValid ? (
        <Message kind="good">
          <p>{t.scan.valid}</p>
        </Message>
      ) : null}
      <Result error={verdict ?? error} />
      <ButtonLink to={`/stop/${shipment.id}/code`}>{t.scan.typeCode}</ButtonLink>
    </Screen>
  );
}

function PickupScan({ run: { shipment } }: { run: RunView }) {
  const { t } = useText();
  const [error, setError] = useState<string | null>(null);
  const { id, referenceNumber } = shipment;

  async function pickUp(pickupToken: string) {
    setError(null);
    const command = { name: 'pickUp' as const, shipmentId: id, referenceNumber, body: { pickupToken } };
    const result = await submit(command, WAIT_MS);
    if (result !== 'done' && result !== 'waiting') return setError(t.scan.wrongPickup);
    playAlert('done');
    navigate(`/stop/${id}`, { replace: true });
  }

  return (
    <Screen title={t.scan.pickupTitle} back={`/stop/${id}`}>
      <Scanner hint={t.scan.pickupHint} onText={(text) => void pickUp(text.slice(0, 200))} />
      <Result error={error} />
      <ButtonLink to={`/stop/${id}/problem`} look="quiet">
        {t.stop.problem}
      </ButtonLink>
    </Screen>
  );
}
