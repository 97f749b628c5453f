import type { Offer } from '@navette/contract';
import { useText } from '../../i18n/text.ts';
import { useSlotText } from '../../parts/slot-text.ts';

/** Facts that a driver must know before accepting, also by law: both ends, distances, weight, time. */
export function OfferFacts({ offer }: { offer: Offer }) {
  const { t, format } = useText();
  const slotText = useSlotText();
  const { shipping, distanceKm, deliveryDistanceKm } = offer;
  const { pickup, delivery, parcel, slot } = shipping;
  const km = (distance: number) => `${format.number(distance)} km`;
  return (
    <>
      <ol className="ends">
        <li>
          <span className="kind">{t.offer.pickup}</span>
          <strong>
            {pickup.postalCode} {pickup.city}
          </strong>
          {pickup.street ? <span>{pickup.street}</span> : null}
          <span>{t.offer.toPickup(km(distanceKm))}</span>
        </li>
        <li>
          <span className="kind">{t.offer.delivery}</span>
          <strong>
            {delivery.postalCode} {delivery.city}
          </strong>
          {deliveryDistanceKm === null ? null : <span>{t.offer.run(km(deliveryDistanceKm))}</span>}
        </li>
      </ol>
      <dl className="facts">
        <div>
          <dt>{t.offer.when}</dt>
          <dd>{slotText(slot)}</dd>
        </div>
        <div>
          <dt>{t.offer.weight}</dt>
          <dd>{format.number(parcel.weight)} kg</dd>
        </div>
      </dl>
    </>
  );
}
