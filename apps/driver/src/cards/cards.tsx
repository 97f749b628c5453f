import { useEffect, useRef } from 'react';
import { playAlert } from '../alerts/alert.ts';
import { wrongByMinutes } from '../clock/server-clock.ts';
import { useText } from '../i18n/text.ts';
import type { OutboxEntry } from '../outbox/entry.ts';
import { dismissCard, outboxStore } from '../outbox/outbox.ts';
import { CallOperator } from '../parts/call-operator.tsx';
import { Button, ButtonLink } from '../parts/controls.tsx';
import { Message } from '../parts/message.tsx';
import { dismissNotice, noticesStore, runsStore } from '../runs/runs.ts';
import { skewStore } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import type { Notice } from '../storage/database.ts';
import { cardKindOf, leadsToRun, needsOperator } from './card-kind.ts';

/** Everything that the driver must know about: refused commands, changes by others, a wrong clock. */
export function Cards() {
  const refused = useStore(outboxStore).filter(({ state }) => state === 'refused');
  const notices = useStore(noticesStore).filter(
    ({ shipmentId }) => !refused.some((entry) => entry.shipmentId === shipmentId), // the refused command says the same
  );
  const count = refused.length + notices.length;
  const before = useRef(count);
  useEffect(() => {
    if (count > before.current) playAlert('problem');
    before.current = count;
  }, [count]);
  return (
    <div role="status" className="cards">
      <ClockCard />
      {refused.map((entry) => (
        <RefusedCard key={entry.seq} entry={entry} />
      ))}
      {notices.map((notice) => (
        <NoticeCard key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function ClockCard() {
  const { t } = useText();
  const minutes = wrongByMinutes(useStore(skewStore));
  if (minutes === null) return null;
  const { title, ahead, behind } = t.cards.clock;
  return (
    <Message kind="warning" title={title}>
      <p>{minutes > 0 ? ahead(minutes) : behind(-minutes)}</p>
    </Message>
  );
}

function RefusedCard({ entry }: { entry: OutboxEntry }) {
  const { t } = useText();
  const runs = useStore(runsStore);
  const kind = cardKindOf(entry);
  const { title, text } = t.cards[kind];
  const hasRun = runs.some(({ id }) => id === entry.shipmentId);
  const isCode = kind === 'wrongCode' || kind === 'wrongQr';
  return (
    <Message kind="problem" title={typeof title === 'string' ? title : title(entry.referenceNumber ?? '')}>
      <p>{text}</p>
      <div className="buttons">
        {hasRun && leadsToRun(kind) ? (
          <ButtonLink to={`/stop/${entry.shipmentId}${isCode ? '/code' : ''}`} look="main">
            {isCode ? t.cards.retype : t.cards.openRun}
          </ButtonLink>
        ) : null}
        {needsOperator(kind) ? <CallOperator /> : null}
        <Button onClick={() => void dismissCard(entry)}>{t.app.understood}</Button>
      </div>
    </Message>
  );
}

function NoticeCard({ notice }: { notice: Notice }) {
  const { t } = useText();
  const { title, text } = t.cards[notice.kind];
  return (
    <Message kind="problem" title={title(notice.referenceNumber)}>
      <p>{text}</p>
      <div className="buttons">
        <CallOperator />
        <Button onClick={() => void dismissNotice(notice)}>{t.app.understood}</Button>
      </div>
    </Message>
  );
}
