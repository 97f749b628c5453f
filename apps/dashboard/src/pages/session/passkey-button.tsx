import { Alert, Button, Divider, Stack } from '@mantine/core';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { IconFingerprint } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { isCancelled, supportsPasskeys } from '../../passkeys/passkey-support.ts';
import { enterSession } from '../../session/session.ts';

/** Sign-in without e-mail address, password and code. The code of the browser's dialog is loaded when it is used. */
export function PasskeyButton({ onEntered }: { onEntered: () => Promise<void> }) {
  const { t } = useTranslation('session');
  const signIn = useMutation({
    mutationFn: async () => {
      const [{ askForPasskey }, started] = await Promise.all([
        import('../../passkeys/authenticator.ts'),
        call('startPasskeySignIn'),
      ]);
      enterSession(await call('signInWithPasskey', { body: await askForPasskey(started) }));
      await onEntered();
    },
  });
  if (!supportsPasskeys()) return null;
  return (
    <Stack gap="md">
      <Divider label={t('signIn.or')} />
      {isCancelled(signIn.error) ? (
        <Alert color="gray">{t('signIn.passkeyCancelled')}</Alert>
      ) : (
        <FormError error={signIn.error} />
      )}
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} stroke={1.6} />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {t('signIn.passkey')}
      </Button>
    </Stack>
  );
}
