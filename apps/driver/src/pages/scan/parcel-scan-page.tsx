import { type FormEvent, useState } from 'react';
import { playAlert } from '../../alerts/alert.ts';
import { useText } from '../../i18n/text.ts';
import { Button, Field } from '../../parts/controls.tsx';
import { Result } from '../../parts/message.tsx';
import { Screen } from '../../parts/screen.tsx';
import { navigate } from '../../router.ts';
import { useRuns } from '../../runs/use-route.ts';
import { formText } from '../../state/form-text.ts';
import { Scanner } from './scanner.tsx';

/** Opens the run of a parcel by its label. */
export function ParcelScanPage() {
  const { t } = useText();
  const runs = useRuns();
  const [error, setError] = useState<string | null>(null);

  function open(text: string) {
    const reference = text.trim().toUpperCase();
    const run = runs.find(({ shipment }) => shipment.referenceNumber === reference);
    if (!run) return setError(t.scan.unknownParcel(reference.slice(0, 24)));
    playAlert('done');
    navigate(`/stop/${run.shipment.id}`, { replace: true });
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    open(formText(event.currentTarget, 'reference'));
  }

  return (
    <Screen title={t.scan.parcelTitle} back="/">
      <Scanner hint={t.scan.parcelHint} withBarcodes onText={open} />
      <Result error={error} />
      <form onSubmit={submit} className="stack">
        <Field label={t.scan.typeReference} name="reference" autoCapitalize="characters" autoComplete="off" required />
        <Button type="submit">{t.scan.open}</Button>
      </form>
    </Screen>
  );
}
