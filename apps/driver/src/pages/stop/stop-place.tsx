import type { DriverShipment } from '@navette/contract';
import { useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { Button, OutsideLink } from '../../parts/controls.tsx';
import { type DescribedPlace, describePlace } from '../../parts/place.ts';
import { useSlotText } from '../../parts/slot-text.ts';
import { callLink, NAVIGATION_APPS, navigationLink, smsLink } from '../../runs/navigation-links.ts';
import { useStore } from '../../state/store.ts';
import { changeSettings, settingsStore } from '../../storage/settings.ts';

/** Address and contact of the current stop. */
export function StopPlace({ shipment, kind }: { shipment: DriverShipment; kind: 'pickup' | 'delivery' }) {
  const { t } = useText();
  const slotText = useSlotText();
  const place = describePlace(shipment, kind);
  return (
    <section className="place">
      {place.name ? <p className="name">{place.name}</p> : null}
      <p className="address">
        {place.street ? <span>{place.street}</span> : null}
        <span>{place.town}</span>
      </p>
      {kind === 'delivery' ? <p className="slot">{slotText(shipment.slot)}</p> : null}
      <div className="actions">
        <Directions place={place} />
        {place.phoneNumber ? (
          <>
            <OutsideLink href={callLink(place.phoneNumber)} icon="phone">
              {t.stop.call}
            </OutsideLink>
            <OutsideLink href={smsLink(place.phoneNumber, t.stop.smsText(shipment.referenceNumber))} icon="message">
              {t.stop.sms}
            </OutsideLink>
          </>
        ) : null}
      </div>
    </section>
  );
}

/** Opens the chosen navigation app. The first time it asks which one, and remembers the answer. */
function Directions({ place: { at, address } }: { place: DescribedPlace }) {
  const { t } = useText();
  const { navigation } = useStore(settingsStore);
  const [isAsking, setAsking] = useState(false);
  if (navigation) {
    return (
      <OutsideLink href={navigationLink(navigation, at, address)} look="main" icon="route">
        {t.stop.navigate}
      </OutsideLink>
    );
  }
  return (
    <>
      <Button look="main" icon="route" aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
        {t.stop.navigate}
      </Button>
      {isAsking ? (
        <div className="navigation-apps">
          <p>{t.navigation.title}</p>
          {NAVIGATION_APPS.map((app) => (
            <a
              key={app}
              className="button plain"
              href={navigationLink(app, at, address)}
              {...(app === 'geo' ? {} : { target: '_blank', rel: 'noreferrer' })}
              onClick={() => changeSettings({ navigation: app })}
            >
              {t.navigation[app]}
            </a>
          ))}
        </div>
      ) : null}
    </>
  );
}
