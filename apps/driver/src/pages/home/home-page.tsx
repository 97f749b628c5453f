import { useState } from 'react';
import { Cards } from '../../cards/cards.tsx';
import { useText } from '../../i18n/text.ts';
import { locationStore } from '../../location/location.ts';
import { outboxStore, submit } from '../../outbox/outbox.ts';
import { Button, ButtonLink } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Screen } from '../../parts/screen.tsx';
import { syncedStore } from '../../realtime/sync.ts';
import { orderStore, saveOrder } from '../../runs/runs.ts';
import { useRoute } from '../../runs/use-route.ts';
import { sessionStore } from '../../session/session.ts';
import { useStore } from '../../state/store.ts';
import { EarnedToday } from './earned-today.tsx';
import { StopList } from './stop-list.tsx';

export function HomePage() {
  const { t } = useText();
  const session = useStore(sessionStore);
  const route = useRoute();
  const [isReordering, setReordering] = useState(false);
  const isAvailable = useAvailability();
  if (!session) return null;
  return (
    <Screen title={t.home.hello(session.driver.firstName)}>
      <Cards />
      <Availability isAvailable={isAvailable} />
      {session.paid ? <EarnedToday /> : null}
      <section>
        <h2 className="with-count">
          {t.home.stops}
          {route.length > 0 ? <span>{t.home.stopCount(route.length)}</span> : null}
        </h2>
        {route.length === 0 ? (
          <NoStops isAvailable={isAvailable} />
        ) : (
          <StopList route={route} isReordering={isReordering} />
        )}
        {route.length > 1 ? <OrderButtons isReordering={isReordering} onChange={setReordering} /> : null}
      </section>
      <ButtonLink to="/scan" icon="scan">
        {t.home.scan}
      </ButtonLink>
    </Screen>
  );
}

function NoStops({ isAvailable }: { isAvailable: boolean }) {
  const { t } = useText();
  if (!useStore(syncedStore)) return <Loading />;
  return (
    <div className="empty">
      <Icon name="parcel" />
      <p>
        <strong>{t.home.noStops}</strong>
      </p>
      <p>{isAvailable ? t.home.noStopsAvailable : t.home.noStopsUnavailable}</p>
    </div>
  );
}

/** The driver's choice counts at once, also before the server has received it. */
export function useAvailability(): boolean {
  const session = useStore(sessionStore);
  const waiting = useStore(outboxStore).findLast(
    ({ name, state }) => name === 'setAvailability' && state === 'waiting',
  );
  return waiting ? waiting.body.available === true : session?.driver.available === true;
}

function Availability({ isAvailable }: { isAvailable: boolean }) {
  const { t } = useText();
  const { status } = useStore(locationStore);
  const location = { on: t.home.positionSent, off: t.home.positionOff, denied: t.home.positionDenied }[status];
  const change = () =>
    submit({ name: 'setAvailability', shipmentId: null, referenceNumber: null, body: { available: !isAvailable } });
  return (
    <section className={isAvailable ? 'availability on' : 'availability'}>
      <p className="state">
        <span className="dot" />
        <strong>{isAvailable ? t.home.available : t.home.unavailable}</strong>
      </p>
      <p>{isAvailable ? t.home.availableText : t.home.unavailableText}</p>
      <p className={`location ${status}`}>
        <Icon name="pin" />
        {location}
      </p>
      <Button look={isAvailable ? 'plain' : 'go'} onClick={() => void change()}>
        {isAvailable ? t.home.becomeUnavailable : t.home.becomeAvailable}
      </Button>
    </section>
  );
}

function OrderButtons({ isReordering, onChange }: { isReordering: boolean; onChange: (next: boolean) => void }) {
  const { t } = useText();
  const hasOwnOrder = useStore(orderStore) !== null;
  return (
    <div className="buttons">
      <Button look="quiet" aria-pressed={isReordering} onClick={() => onChange(!isReordering)}>
        {isReordering ? t.home.reorderDone : t.home.reorder}
      </Button>
      {hasOwnOrder ? (
        <Button look="quiet" onClick={() => void saveOrder(null)}>
          {t.home.suggested}
        </Button>
      ) : null}
    </div>
  );
}
