import { call } from '../../api/call.ts';
import { useText } from '../../i18n/text.ts';
import { useExplain } from '../../i18n/use-explain.ts';
import { Button } from '../../parts/controls.tsx';
import { Result } from '../../parts/message.tsx';
import { useLoad } from '../../state/use-load.ts';
import { useSend } from '../../state/use-send.ts';

/** Open sessions of the driver: a phone that was lost can be signed out from another one. */
export function Devices() {
  const { t, format } = useText();
  const explain = useExplain();
  const { data, error, again } = useLoad('sessions', () => call('listSessions'));
  const ending = useSend(async (id: string | null) => {
    await (id === null ? call('endOtherSessions') : call('endSession', { params: { id } }));
    again();
  });
  const sessions = data?.sessions ?? [];
  return (
    <section>
      <h2>{t.settings.devices}</h2>
      <Result error={(ending.error ?? error) === null ? null : explain(ending.error ?? error)} />
      <ul className="devices">
        {sessions.map(({ id, device, lastUsedAt, current }) => (
          <li key={id}>
            <span>
              <strong>{device ?? t.settings.unknownDevice}</strong>
              <span className="muted">
                {current ? t.settings.thisDevice : t.settings.lastUsed(format.dateTime(lastUsedAt))}
              </span>
            </span>
            {current ? null : (
              <Button disabled={ending.isSending} onClick={() => ending.send(id)}>
                {t.settings.endSession}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 2 ? (
        <Button disabled={ending.isSending} onClick={() => ending.send(null)}>
          {t.settings.endOthers}
        </Button>
      ) : null}
    </section>
  );
}
