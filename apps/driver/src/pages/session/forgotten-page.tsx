import { type FormEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { useText } from '../../i18n/text.ts';
import { useExplain } from '../../i18n/use-explain.ts';
import { Button, ButtonLink, Field } from '../../parts/controls.tsx';
import { Message, Result } from '../../parts/message.tsx';
import { Screen } from '../../parts/screen.tsx';
import { formText } from '../../state/form-text.ts';
import { useSend } from '../../state/use-send.ts';

export function ForgottenPage() {
  const { t } = useText();
  const explain = useExplain();
  const [isSent, setSent] = useState(false);
  const { send, isSending, error } = useSend(async (email: string) => {
    await call('requestPasswordLink', { body: { email } });
    setSent(true);
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    send(formText(event.currentTarget, 'email').trim());
  }

  return (
    <Screen title={t.session.forgottenTitle} back="/">
      {isSent ? (
        <Message kind="good">
          <p>{t.session.forgottenSent}</p>
        </Message>
      ) : (
        <form onSubmit={submit} className="stack">
          <p>{t.session.forgottenIntro}</p>
          <Field label={t.session.email} name="email" type="email" autoComplete="username" inputMode="email" required />
          <Result error={error === null ? null : explain(error)} />
          <Button type="submit" look="main" isLarge disabled={isSending}>
            {t.session.forgottenSend}
          </Button>
        </form>
      )}
      <ButtonLink to="/" look="quiet">
        {t.session.toSignIn}
      </ButtonLink>
    </Screen>
  );
}
