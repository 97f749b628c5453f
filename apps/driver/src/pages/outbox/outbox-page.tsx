import { Cards } from '../../cards/cards.tsx';
import { useText } from '../../i18n/text.ts';
import type { OutboxEntry } from '../../outbox/entry.ts';
import { outboxStore, sendNow, waitingIn } from '../../outbox/outbox.ts';
import { Button } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Screen } from '../../parts/screen.tsx';
import { reachableStore, refresh } from '../../realtime/sync.ts';
import { useStore } from '../../state/store.ts';

/** Commands that wait to be sent, and refused ones with the reason. */
export function OutboxPage() {
  const { t } = useText();
  const waiting = waitingIn(useStore(outboxStore));
  return (
    <Screen title={t.outbox.title}>
      <Cards />
      {waiting.length === 0 ? (
        <div className="empty">
          <Icon name="check" />
          <p>
            <strong>{t.outbox.empty}</strong>
          </p>
          <p>{t.outbox.emptyText}</p>
        </div>
      ) : (
        <section>
          <h2>{t.outbox.waitingTitle}</h2>
          <ol className="waiting">
            {waiting.map((entry) => (
              <Waiting key={entry.seq} entry={entry} />
            ))}
          </ol>
          <Button look="main" icon="send" onClick={() => void sendNow().then(refresh)}>
            {t.outbox.sendNow}
          </Button>
        </section>
      )}
    </Screen>
  );
}

function Waiting({ entry: { name, referenceNumber, doneAt, attempts, nextAttemptAt } }: { entry: OutboxEntry }) {
  const { t, format } = useText();
  const isReachable = useStore(reachableStore);
  const when =
    isReachable && attempts > 0 ? t.outbox.nextAttempt(format.time(new Date(nextAttemptAt))) : t.outbox.waitingNetwork;
  return (
    <li>
      <strong>{t.outbox.commands[name]}</strong>
      {referenceNumber ? <span className="reference">{referenceNumber}</span> : null}
      <span>{t.outbox.doneAt(format.time(doneAt))}</span>
      <span className="muted">{when}</span>
    </li>
  );
}
