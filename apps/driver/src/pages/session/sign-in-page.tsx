import { type FormEvent, useEffect, useState } from 'react';
import { useText } from '../../i18n/text.ts';
import { useExplain } from '../../i18n/use-explain.ts';
import { Button, ButtonLink, Field, PasswordField } from '../../parts/controls.tsx';
import { LanguageButton } from '../../parts/language-button.tsx';
import { Message, Result } from '../../parts/message.tsx';
import { Screen } from '../../parts/screen.tsx';
import { endedStore, signIn } from '../../session/session.ts';
import { formText } from '../../state/form-text.ts';
import { useStore } from '../../state/store.ts';
import { useSend } from '../../state/use-send.ts';
import { openDatabase } from '../../storage/database.ts';

export function SignInPage() {
  const { t } = useText();
  const explain = useExplain();
  const isEnded = useStore(endedStore);
  const { send, isSending, error } = useSend(signIn);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    send(formText(event.currentTarget, 'email').trim(), formText(event.currentTarget, 'password'));
  }

  return (
    <Screen title={t.session.title}>
      {isEnded ? <EndedMessage /> : <p>{t.session.intro}</p>}
      <form onSubmit={submit} className="stack">
        <Field label={t.session.email} name="email" type="email" autoComplete="username" inputMode="email" required />
        <PasswordField label={t.session.password} name="password" autoComplete="current-password" required />
        <Result error={error === null ? null : explain(error)} />
        <Button type="submit" look="main" isLarge disabled={isSending}>
          {t.session.signIn}
        </Button>
      </form>
      <ButtonLink to="/forgotten" look="quiet">
        {t.session.forgotten}
      </ButtonLink>
      <LanguageButton />
    </Screen>
  );
}

/** Says what still waits: a driver who is signed out in a cellar must not fear for the work done. */
function EndedMessage() {
  const { t } = useText();
  const [waiting, setWaiting] = useState(0);
  useEffect(() => {
    void openDatabase()
      .then((database) => database.getAll('outbox'))
      .then((entries) => setWaiting(entries.filter(({ state }) => state === 'waiting').length));
  }, []);
  return (
    <Message kind="warning">
      <p>{waiting > 0 ? t.session.endedWaiting(waiting) : t.session.ended}</p>
    </Message>
  );
}
