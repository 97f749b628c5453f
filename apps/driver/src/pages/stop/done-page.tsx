import { useText } from '../../i18n/text.ts';
import { ButtonLink } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Screen } from '../../parts/screen.tsx';
import type { RunView } from '../../runs/run-view.ts';
import { useRoute } from '../../runs/use-route.ts';

/** After the delivery: the next stop is one touch away, and proof can still be added. */
export function DonePage({ run: { shipment, waiting } }: { run: RunView }) {
  const { t, format } = useText();
  const [next] = useRoute();
  const isWaiting = waiting.some(({ name }) => name === 'deliver');
  return (
    <Screen
      title={t.stop.delivery}
      back="/"
      footer={
        <ButtonLink to={next ? `/stop/${next.shipmentId}` : '/'} look="main" icon="next">
          {next ? t.stop.nextStop : t.app.toStops}
        </ButtonLink>
      }
    >
      <div className="done">
        <Icon name="check" />
        <h2>{t.stop.done}</h2>
        <p className="reference">{shipment.referenceNumber}</p>
        <p>{shipment.deliveredAt ? t.stop.deliveredAt(format.time(shipment.deliveredAt)) : null}</p>
        <p>{isWaiting ? t.stop.doneWaiting : t.stop.doneText}</p>
      </div>
      <ButtonLink to={`/stop/${shipment.id}/proof`} icon="camera">
        {t.stop.proof}
      </ButtonLink>
    </Screen>
  );
}
