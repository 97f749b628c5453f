import type { DriverShipment } from '@navette/contract';
import { REPORTABLE_INCIDENT_KINDS } from '@navette/contract/driver-incidents';
import { type FormEvent, useId, useState } from 'react';
import { playAlert } from '../../alerts/alert.ts';
import { useText } from '../../i18n/text.ts';
import { submit } from '../../outbox/outbox.ts';
import { CallOperator } from '../../parts/call-operator.tsx';
import { Button, Choice } from '../../parts/controls.tsx';
import { PhotoButton, Photos } from '../../parts/photo-button.tsx';
import { Screen } from '../../parts/screen.tsx';
import { navigate } from '../../router.ts';
import type { RunView } from '../../runs/run-view.ts';
import { formText } from '../../state/form-text.ts';
import { GiveBack } from './give-back.tsx';

type Kind = (typeof REPORTABLE_INCIDENT_KINDS)[number];
const OF_RECIPIENT: readonly Kind[] = ['recipient_absent', 'recipient_refuses'];

/** Reports why a parcel cannot be picked up or delivered. The status stays; the operator decides. */
export function ProblemPage({ run: { shipment } }: { run: RunView }) {
  const { t } = useText();
  const isPickup = shipment.status === 'assigned';
  const noteId = useId();
  const [kind, setKind] = useState<Kind | null>(null);
  const [photos, setPhotos] = useState<string[]>([]);
  const kinds = REPORTABLE_INCIDENT_KINDS.filter((one) => !isPickup || !OF_RECIPIENT.includes(one));

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (kind === null) return;
    const note = formText(event.currentTarget, 'note').trim();
    await report(shipment, kind, note, photos);
    playAlert('done');
    navigate(`/stop/${shipment.id}`, { replace: true });
  }

  return (
    <Screen title={t.problem.title} back={`/stop/${shipment.id}`}>
      <form onSubmit={(event) => void send(event)} className="stack">
        <Choice
          label={t.problem.what}
          options={kinds.map((one) => [one, t.problem.kinds[one]] as const)}
          value={kind}
          onChange={setKind}
        />
        <div className="field">
          <label htmlFor={noteId}>{t.problem.note}</label>
          <textarea id={noteId} name="note" rows={3} maxLength={1000} placeholder={t.problem.noteHint} />
        </div>
        <PhotoButton label={t.problem.photo} onPhoto={(photo) => setPhotos([...photos, photo])} />
        <Photos photos={photos} />
        <Button type="submit" look="main" isLarge disabled={kind === null}>
          {t.problem.send}
        </Button>
      </form>
      <CallOperator />
      {isPickup ? <GiveBack shipment={shipment} /> : null}
    </Screen>
  );
}

async function report(
  { id, referenceNumber }: DriverShipment,
  kind: Kind,
  note: string,
  photos: string[],
): Promise<void> {
  const body = { kind, ...(note === '' ? {} : { note }) };
  await submit({ name: 'reportIncident', shipmentId: id, referenceNumber, body });
  for (const content of photos) {
    await submit({ name: 'addProof', shipmentId: id, referenceNumber, body: { kind: 'photo', content } });
  }
}
