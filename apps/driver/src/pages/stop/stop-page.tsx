import type { DriverShipment } from '@navette/contract';
import { useState } from 'react';
import { playAlert } from '../../alerts/alert.ts';
import { Cards } from '../../cards/cards.tsx';
import { useWakeLock } from '../../device/wake-lock.ts';
import { useText } from '../../i18n/text.ts';
import { submit } from '../../outbox/outbox.ts';
import { CallOperator } from '../../parts/call-operator.tsx';
import { Button, ButtonLink } from '../../parts/controls.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Message } from '../../parts/message.tsx';
import { Screen } from '../../parts/screen.tsx';
import { syncedStore } from '../../realtime/sync.ts';
import { navigate } from '../../router.ts';
import { nextStepOf, type RunView } from '../../runs/run-view.ts';
import { useRun } from '../../runs/use-route.ts';
import { useStore } from '../../state/store.ts';
import { DonePage } from './done-page.tsx';
import { StopFacts } from './stop-facts.tsx';
import { StopPlace } from './stop-place.tsx';

/** One run at its current stop: where, how to reach the person, and one large button for the next step. */
export function StopPage({ id }: { id: string }) {
  const { t } = useText();
  const run = useRun(id);
  const isSynced = useStore(syncedStore);
  useWakeLock();
  if (!run) return isSynced ? <GonePage /> : <UnknownYet />;
  if (run.shipment.status === 'delivered') return <DonePage run={run} />;
  if (run.isGivenBack) return <GonePage text={t.stop.givenBack} />;
  const { shipment, waiting } = run;
  const isPickup = shipment.status === 'assigned';
  const title = isPickup ? (shipment.isCollection ? t.stop.collection : t.stop.pickup) : t.stop.delivery;
  return (
    <Screen title={title} back="/" footer={<NextStep run={run} />}>
      <OpenIncident shipment={shipment} />
      {waiting.length > 0 ? (
        <Message kind="info">
          <p>{t.stop.waiting}</p>
        </Message>
      ) : null}
      <StopPlace shipment={shipment} kind={isPickup ? 'pickup' : 'delivery'} />
      {shipment.notes ? (
        <section className="notes">
          <h2>{t.stop.notes}</h2>
          <p>{shipment.notes}</p>
        </section>
      ) : null}
      <StopFacts shipment={shipment} />
      <div className="buttons">
        <ButtonLink to={`/stop/${id}/proof`} icon="camera">
          {t.stop.proof}
        </ButtonLink>
        <ButtonLink to={`/stop/${id}/problem`} icon="warning">
          {t.stop.problem}
        </ButtonLink>
      </div>
    </Screen>
  );
}

function NextStep({ run: { shipment } }: { run: RunView }) {
  const { t } = useText();
  const [isBusy, setBusy] = useState(false);
  const step = nextStepOf(shipment);
  if (!step) return null;
  const { id, referenceNumber } = shipment;
  if (step.needs === 'pickup-qr') {
    return (
      <Button look="go" isLarge icon="scan" onClick={() => navigate(`/stop/${id}/scan`)}>
        {t.stop.pickUpScan}
      </Button>
    );
  }
  if (step.needs === 'delivery-code') {
    return (
      <Button look="go" isLarge icon="check" onClick={() => navigate(`/stop/${id}/code`)}>
        {t.stop.deliver}
      </Button>
    );
  }
  async function act(name: 'pickUp' | 'depart' | 'deliver') {
    setBusy(true);
    await submit({ name, shipmentId: id, referenceNumber, body: {} });
    playAlert('done');
    setBusy(false);
  }
  return (
    <Button look="go" isLarge icon="check" disabled={isBusy} onClick={() => void act(step.name)}>
      {step.name === 'pickUp' ? t.stop.pickUp : t.stop.depart}
    </Button>
  );
}

function OpenIncident({ shipment: { incident } }: { shipment: DriverShipment }) {
  const { t } = useText();
  if (!incident || incident.resolvedAt !== null) return null;
  return (
    <Message kind="warning" title={t.stop.incident(t.problem.kinds[incident.kind])}>
      <p>{t.stop.incidentText}</p>
      <CallOperator />
    </Message>
  );
}

/** A notification may open a run that this phone has not read yet. */
function UnknownYet() {
  const { t } = useText();
  return (
    <Screen title={t.stop.delivery} back="/">
      <Loading />
    </Screen>
  );
}

function GonePage({ text }: { text?: string }) {
  const { t } = useText();
  return (
    <Screen title={t.stop.delivery} back="/">
      <Cards />
      <p>{text ?? t.stop.gone}</p>
      <ButtonLink to="/" look="main">
        {t.app.toStops}
      </ButtonLink>
    </Screen>
  );
}
