import { ApiError } from '@navette/ui/api-error';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { useText } from '../../i18n/text.ts';
import { useExplain } from '../../i18n/use-explain.ts';
import { Button, ButtonLink, PasswordField } from '../../parts/controls.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Message, Result } from '../../parts/message.tsx';
import { Screen } from '../../parts/screen.tsx';
import { navigate } from '../../router.ts';
import { openSession } from '../../session/session.ts';
import { formText } from '../../state/form-text.ts';
import { useLoad } from '../../state/use-load.ts';
import { useSend } from '../../state/use-send.ts';

const SHORTEST_PASSWORD = 10;

/** The link of an invitation or a reset: the token is in the fragment, which no server logs. */
export function WelcomePage() {
  const { t } = useText();
  const explain = useExplain();
  const [token] = useState(() => location.hash.slice(1));
  const link = useLoad(token, () => call('readPasswordLink', { body: { token } }));
  const { send, isSending, error } = useSend(async (password: string) => {
    const answer = await call('usePasswordLink', { body: { token, password } });
    await openSession(answer.token);
    navigate('/', { replace: true });
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    send(formText(event.currentTarget, 'password'));
  }

  if (link.error !== null) return <LinkFailed error={link.error} again={link.again} />;
  if (!link.data) {
    return (
      <Screen title={t.app.name}>
        <Loading />
      </Screen>
    );
  }
  const { firstName, purpose } = link.data;
  const isReset = purpose === 'reset';
  return (
    <Screen title={isReset ? t.session.resetTitle : t.session.welcome(firstName)}>
      <p>{isReset ? t.session.resetText(firstName) : t.session.welcomeText}</p>
      <form onSubmit={submit} className="stack">
        <PasswordField
          label={t.session.newPassword}
          name="password"
          autoComplete="new-password"
          minLength={SHORTEST_PASSWORD}
          required
        />
        <Result error={error === null ? null : explain(error)} />
        <Button type="submit" look="main" isLarge disabled={isSending}>
          {t.session.start}
        </Button>
      </form>
    </Screen>
  );
}

function LinkFailed({ error, again }: { error: unknown; again: () => void }) {
  const { t } = useText();
  const explain = useExplain();
  const isGone = error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
  return (
    <Screen title={t.app.name}>
      <Message kind="problem">
        <p>{isGone ? t.session.linkGone : explain(error)}</p>
      </Message>
      {isGone ? (
        <ButtonLink to="/forgotten" look="main">
          {t.session.linkNew}
        </ButtonLink>
      ) : (
        <Button look="main" onClick={again}>
          {t.app.retry}
        </Button>
      )}
    </Screen>
  );
}
