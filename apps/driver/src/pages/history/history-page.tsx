import type { DriverShipment } from '@navette/contract';
import { useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { useText } from '../../i18n/text.ts';
import { useExplain } from '../../i18n/use-explain.ts';
import { Button, ButtonLink } from '../../parts/controls.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Message } from '../../parts/message.tsx';
import { Screen } from '../../parts/screen.tsx';
import { sessionStore } from '../../session/session.ts';
import { useStore } from '../../state/store.ts';
import { useSend } from '../../state/use-send.ts';
import { readKept, writeKept } from '../../storage/database.ts';

/** Ended runs. The latest page stays on the phone and shows without network. */
export function HistoryPage() {
  const { t } = useText();
  const explain = useExplain();
  const isPaid = useStore(sessionStore)?.paid === true;
  const [runs, setRuns] = useState<DriverShipment[] | null>(null);
  const [next, setNext] = useState<string | null>(null);
  const {
    send: load,
    isSending,
    error,
  } = useSend(async (before: string | null) => {
    const page = await call('listEndedShipments', { query: before === null ? {} : { before } });
    setRuns((known) => (before === null ? page.shippings : [...(known ?? []), ...page.shippings]));
    setNext(page.nextBefore);
    if (before === null) await writeKept('history', page.shippings);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page opens
  useEffect(() => {
    void readKept('history').then((kept) => kept && setRuns((known) => known ?? kept));
    load(null);
  }, []);

  return (
    <Screen title={t.history.title}>
      {isPaid ? (
        <ButtonLink to="/earnings" icon="euro" look="main">
          {t.history.earnings}
        </ButtonLink>
      ) : null}
      {error === null ? null : (
        <Message kind="warning">
          <p>{runs ? t.history.offline : explain(error)}</p>
        </Message>
      )}
      {runs?.length === 0 ? <p className="muted">{t.history.empty}</p> : null}
      <ol className="ended">
        {(runs ?? []).map((run) => (
          <Ended key={run.id} run={run} />
        ))}
      </ol>
      {runs === null && isSending ? <Loading /> : null}
      {next ? (
        <Button disabled={isSending} onClick={() => load(next)}>
          {t.history.more}
        </Button>
      ) : null}
    </Screen>
  );
}

function Ended({
  run: { referenceNumber, status, delivery, deliveredAt, cancelledAt, incident },
}: {
  run: DriverShipment;
}) {
  const { t, format } = useText();
  const at = deliveredAt ?? cancelledAt;
  const state = incident?.resolution === 'returned' ? 'returned' : status;
  return (
    <li>
      <span className={`status ${state}`}>{state === 'returned' ? t.history.returned : t.statuses[state]}</span>
      <strong>{delivery.recipientName ?? `${delivery.postalCode} ${delivery.city}`}</strong>
      <span className="reference">{referenceNumber}</span>
      {at ? <span className="muted">{format.dateTime(at)}</span> : null}
    </li>
  );
}
