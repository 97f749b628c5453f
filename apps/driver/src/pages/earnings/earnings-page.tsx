import { showFile } from '@navette/ui/show-file';
import { useState } from 'react';
import { call, callForFile } from '../../api/call.ts';
import { monthBefore, monthOf } from '../../earnings/months.ts';
import { useText } from '../../i18n/text.ts';
import { useExplain } from '../../i18n/use-explain.ts';
import { Button } from '../../parts/controls.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Message, Result } from '../../parts/message.tsx';
import { Screen } from '../../parts/screen.tsx';
import { useLoad } from '../../state/use-load.ts';
import { useSend } from '../../state/use-send.ts';
import type { Earnings } from '../../storage/database.ts';

/** Earnings of a month, entry by entry, with the statement as a file. */
export function EarningsPage() {
  const { t, format, language } = useText();
  const explain = useExplain();
  const current = monthOf(Date.now());
  const [month, setMonth] = useState(current);
  const { data, error, isLoading } = useLoad(month, () => call('readEarnings', { query: { month } }));
  const name = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' }).format(new Date(`${month}-15`));
  return (
    <Screen title={t.earnings.title} back="/history">
      <div className="month">
        <Button icon="back" aria-label={t.earnings.previous} onClick={() => setMonth(monthBefore(month, 1))} />
        <h2>{name}</h2>
        <Button
          icon="next"
          aria-label={t.earnings.next}
          disabled={month === current}
          onClick={() => setMonth(monthBefore(month, -1))}
        />
      </div>
      {isLoading && !data ? <Loading /> : null}
      {error === null ? null : (
        <Message kind="warning">
          <p>{navigator.onLine ? explain(error) : t.earnings.offline}</p>
        </Message>
      )}
      {data ? (
        <>
          <p className="total">
            <span>{t.earnings.total}</span>
            <strong>{format.money(data.total)}</strong>
          </p>
          {data.entries.length === 0 ? <p className="muted">{t.earnings.empty}</p> : <Entries entries={data.entries} />}
          <Statement month={month} />
        </>
      ) : null}
    </Screen>
  );
}

function Entries({ entries }: Pick<Earnings, 'entries'>) {
  const { t, format } = useText();
  return (
    <ol className="entries">
      {entries.map(({ at, kind, amount, referenceNumber, reason }) => (
        <li key={`${at} ${referenceNumber} ${amount}`}>
          <span>
            <strong>{kind === 'run' ? t.earnings.run(referenceNumber ?? '') : t.earnings.correction}</strong>
            {reason ? <span>{reason}</span> : null}
            <span className="muted">{format.dateTime(at)}</span>
          </span>
          <strong>{format.money(amount)}</strong>
        </li>
      ))}
    </ol>
  );
}

function Statement({ month }: { month: string }) {
  const { t } = useText();
  const explain = useExplain();
  const { send, isSending, error } = useSend(async (kind: 'pdf' | 'csv') => {
    const name = kind === 'pdf' ? 'readStatementPdf' : 'readStatementCsv';
    showFile(await callForFile(name, { params: { month } }), `navette-${month}.${kind}`);
  });
  return (
    <>
      <Result error={error === null ? null : explain(error)} />
      <div className="buttons">
        <Button disabled={isSending} onClick={() => send('pdf')}>
          {t.earnings.pdf}
        </Button>
        <Button disabled={isSending} onClick={() => send('csv')}>
          {t.earnings.csv}
        </Button>
      </div>
    </>
  );
}
