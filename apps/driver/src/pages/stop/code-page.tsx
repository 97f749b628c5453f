import { useEffect, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { Button, ButtonLink } from '../../parts/controls.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Result } from '../../parts/message.tsx';
import { Screen } from '../../parts/screen.tsx';
import type { RunView } from '../../runs/run-view.ts';
import { useDeliver } from './use-deliver.ts';

const LENGTH = 6;
const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

/** The recipient's six figures, on large keys of our own: the phone's keyboard hides the page and its keys are small. */
export function CodePage({ run: { shipment } }: { run: RunView }) {
  const { t } = useText();
  const [code, setCode] = useState('');
  const { deliver, isSending, error } = useDeliver(shipment);
  const type = (digit: string) => setCode((typed) => (typed.length < LENGTH ? typed + digit : typed));
  const erase = () => setCode((typed) => typed.slice(0, -1));
  const isComplete = code.length === LENGTH;

  async function confirm() {
    if (isComplete && !isSending && !(await deliver({ deliveryCode: code }))) setCode('');
  }

  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (/^\d$/.test(key)) type(key);
      if (key === 'Backspace') erase();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });

  return (
    <Screen
      title={t.code.title}
      back={`/stop/${shipment.id}`}
      footer={
        <Button look="go" isLarge disabled={!isComplete || isSending} onClick={() => void confirm()}>
          {isSending ? t.code.checking : t.code.confirm}
        </Button>
      }
    >
      <p className="for">
        {shipment.delivery.recipientName} · {shipment.referenceNumber}
      </p>
      {error === null && <p className="muted">{t.code.intro}</p>}
      <Result error={error} />
      <div className="code" role="img" aria-label={t.code.digits(code.length)}>
        {Array.from({ length: LENGTH }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: places, not things
          <span key={at} className={at === code.length ? 'current' : undefined}>
            {code[at] ?? ''}
          </span>
        ))}
      </div>
      <div className="keypad">
        {KEYS.map((digit) => (
          <button key={digit} type="button" onClick={() => type(digit)}>
            {digit}
          </button>
        ))}
        <button type="button" className="small" aria-label={t.code.erase} onClick={erase}>
          <Icon name="back" />
        </button>
        <button type="button" onClick={() => type('0')}>
          0
        </button>
        <span />
      </div>
      <ButtonLink to={`/stop/${shipment.id}/scan`} icon="scan">
        {t.code.scan}
      </ButtonLink>
      <ButtonLink to={`/stop/${shipment.id}/problem`} look="quiet">
        {t.code.noCode}
      </ButtonLink>
    </Screen>
  );
}
