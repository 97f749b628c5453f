import type { Offer } from '@navette/contract';
import { useEffect, useRef, useState } from 'react';
import { playAlert } from '../../alerts/alert.ts';
import { useText } from '../../i18n/text.ts';
import { removeOffer } from '../../offers/offers.ts';
import { submit } from '../../outbox/outbox.ts';
import { Button } from '../../parts/controls.tsx';
import { Result } from '../../parts/message.tsx';
import { navigate } from '../../router.ts';
import { useNow } from '../../state/use-now.ts';
import { OfferFacts } from './offer-facts.tsx';

const ALERT_EVERY_MS = 4_000;
const WAIT_MS = 8_000;

type Answer = 'none' | 'sending' | 'waiting' | 'gone' | 'tooMany';

/** Covers the whole screen while a run is offered: what it is, how long there is to answer, two large buttons. */
export function OfferPage({ offer, others }: { offer: Offer; others: number }) {
  const { t, format } = useText();
  const now = useNow(250);
  const [answer, setAnswer] = useState<Answer>('none');
  const [firstSeen] = useState(now);
  const expiresAt = Date.parse(offer.expiresAt);
  const leftMs = Math.max(0, expiresAt - now);
  const isOver = leftMs === 0 && answer === 'none';
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  useAlertUntil(answer !== 'none' || isOver);

  async function respond(name: 'acceptOffer' | 'refuseOffer') {
    const { id, referenceNumber } = offer.shipping;
    setAnswer('sending');
    if (name === 'refuseOffer') {
      removeOffer(offer);
      await submit({ name, shipmentId: id, referenceNumber, body: {} });
      return;
    }
    const result = await submit({ name, shipmentId: id, referenceNumber, body: {} }, WAIT_MS);
    if (result === 'waiting') return setAnswer('waiting');
    if (result !== 'done') return setAnswer(result.slug === 'TOO_MANY_RUNS' ? 'tooMany' : 'gone');
    removeOffer(offer);
    navigate(`/stop/${id}`);
  }

  const { pay } = offer;
  const problem = isOver ? t.offer.expired : answer === 'gone' || answer === 'tooMany' ? t.offer[answer] : null;
  return (
    <div className="offer" role="dialog" aria-modal="true" aria-labelledby="offer-title">
      <div className="offer-head">
        <h1 id="offer-title" ref={heading} tabIndex={-1}>
          {t.offer.title}
        </h1>
        <p className="seconds">{t.offer.seconds(Math.ceil(leftMs / 1_000))}</p>
        <progress max={Math.max(1, expiresAt - firstSeen)} value={leftMs} aria-hidden="true" />
      </div>
      <div className="offer-body">
        {pay === null ? null : (
          <p className="pay">
            <span>{t.offer.pay}</span>
            <strong>{format.money(pay)}</strong>
          </p>
        )}
        <OfferFacts offer={offer} />
        {others > 0 ? <p className="muted">{t.offer.more(others)}</p> : null}
      </div>
      <div className="offer-foot">
        <Result error={problem}>
          {answer === 'sending' ? <p>{t.offer.sending}</p> : null}
          {answer === 'waiting' ? <p>{t.offer.waiting}</p> : null}
        </Result>
        {problem !== null || answer === 'waiting' ? (
          <Button look="main" isLarge onClick={() => removeOffer(offer)}>
            {t.app.understood}
          </Button>
        ) : (
          <div className="answers">
            <Button isLarge icon="cross" disabled={answer !== 'none'} onClick={() => void respond('refuseOffer')}>
              {t.offer.refuse}
            </Button>
            <Button
              look="go"
              isLarge
              icon="check"
              disabled={answer !== 'none'}
              onClick={() => void respond('acceptOffer')}
            >
              {t.offer.accept}
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

/** Sound and vibration, again and again until the driver answers. */
function useAlertUntil(isAnswered: boolean): void {
  useEffect(() => {
    if (isAnswered) return;
    playAlert('offer');
    const timer = setInterval(() => playAlert('offer'), ALERT_EVERY_MS);
    return () => clearInterval(timer);
  }, [isAnswered]);
}
