import { moveStop } from '@navette/contract/driver-stop-order';
import { useText } from '../../i18n/text.ts';
import { Button, Link } from '../../parts/controls.tsx';
import { describePlace } from '../../parts/place.ts';
import { useSlotText } from '../../parts/slot-text.ts';
import { saveOrder } from '../../runs/runs.ts';
import type { RouteStop } from '../../runs/use-route.ts';

/** Stops in order. Up and down buttons instead of dragging: gloves and rain. */
export function StopList({ route, isReordering }: { route: RouteStop[]; isReordering: boolean }) {
  return (
    <ol className="stops">
      {route.map((stop, at) => (
        <StopItem key={stop.id} stop={stop} isFirst={at === 0} route={isReordering ? route : null} />
      ))}
    </ol>
  );
}

function StopItem({ stop, isFirst, route }: { stop: RouteStop; isFirst: boolean; route: RouteStop[] | null }) {
  const { t } = useText();
  const slotText = useSlotText();
  const { shipment, waiting } = stop.run;
  const place = describePlace(shipment, stop.kind);
  const kind = stop.kind === 'delivery' ? t.stop.delivery : shipment.isCollection ? t.stop.collection : t.stop.pickup;
  const name = place.name ?? place.street ?? place.town;
  return (
    <li className={`${stop.kind}${isFirst ? ' first' : ''}`}>
      <Link to={`/stop/${shipment.id}`}>
        <span className="kind">
          {isFirst ? `${t.home.next} · ${kind}` : kind}
          {shipment.incident && !shipment.incident.resolvedAt ? <em className="tag alert">{t.home.problem}</em> : null}
          {waiting.length > 0 ? <em className="tag">{t.home.waitingToSend}</em> : null}
        </span>
        <strong>{name}</strong>
        {place.street && place.street !== name ? <span>{place.street}</span> : null}
        {place.town === name ? null : <span>{place.town}</span>}
        {stop.kind === 'delivery' ? <span className="slot">{slotText(shipment.slot)}</span> : null}
      </Link>
      {route ? <Moves stop={stop} route={route} name={`${kind}, ${name}`} /> : null}
    </li>
  );
}

function Moves({ stop, route, name }: { stop: RouteStop; route: RouteStop[]; name: string }) {
  const { t } = useText();
  const move = (by: -1 | 1) => {
    const moved = moveStop(route, stop.id, by);
    return moved === null ? null : () => void saveOrder(moved.map(({ id }) => id));
  };
  const [up, down] = [move(-1), move(1)];
  return (
    <div className="moves">
      <Button icon="up" disabled={!up} aria-label={t.home.up(name)} onClick={() => up?.()} />
      <Button icon="down" disabled={!down} aria-label={t.home.down(name)} onClick={() => down?.()} />
    </div>
  );
}
