import type { DriverShipment } from '@navette/contract';
import { useText } from '../../i18n/text.ts';

/** The parcel, and the steps that are done. */
export function StopFacts({ shipment }: { shipment: DriverShipment }) {
  const { t, format } = useText();
  const { referenceNumber, parcel, pickedUpAt, departedAt } = shipment;
  return (
    <section>
      <h2>{t.stop.parcel}</h2>
      <dl className="facts">
        <div>
          <dt>{t.stop.reference}</dt>
          <dd className="reference">{referenceNumber}</dd>
        </div>
        <div>
          <dt>{t.stop.nature}</dt>
          <dd>{parcel.nature}</dd>
        </div>
        <div>
          <dt>{t.stop.weight}</dt>
          <dd>{format.number(parcel.weight)} kg</dd>
        </div>
      </dl>
      {pickedUpAt ? <p className="muted">{t.stop.pickedUpAt(format.time(pickedUpAt))}</p> : null}
      {departedAt ? <p className="muted">{t.stop.departedAt(format.time(departedAt))}</p> : null}
    </section>
  );
}
