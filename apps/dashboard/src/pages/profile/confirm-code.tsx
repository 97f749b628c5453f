import { Button, Center, Code, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { DashboardAnswer } from '@navette/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { renewSession } from '../../session/session.ts';
import { CopyButton } from '../../shared/copy-button.tsx';
import { Form } from '../../shared/form.tsx';
import { FormError } from '../../shared/form-error.tsx';
import { useSubmit } from '../../shared/use-submit.ts';
import { sessionsQuery } from './sessions-query.ts';

interface Props {
  setUp: DashboardAnswer<'startSecondFactor'>;
  onConfirmed: (recoveryCodes: string[]) => void;
}

export function ConfirmCode({ setUp: { secret, qr }, onConfirmed }: Props) {
  const { t } = useTranslation('profile');
  const form = useForm({ initialValues: { code: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async (body) => {
    const { recoveryCodes } = await call('confirmSecondFactor', { body });
    onConfirmed(recoveryCodes);
    await renewSession();
    await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  });
  return (
    <Form onSubmit={onSubmit}>
      <Text size="sm">{t('secondFactor.scan')}</Text>
      <Center>
        {/* Black on white whatever the colours are, so that it can be scanned. */}
        <svg
          role="img"
          aria-label={t('secondFactor.qr')}
          viewBox={`0 0 ${qr.size} ${qr.size}`}
          width={208}
          height={208}
          shapeRendering="crispEdges"
          style={{ background: '#fff', borderRadius: 8 }}
        >
          <path d={qr.path} fill="#000" />
        </svg>
      </Center>
      <div>
        <Text size="sm" c="dimmed">
          {t('secondFactor.orType')}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <Code style={{ overflowWrap: 'anywhere' }}>{secret.match(/.{1,4}/g)?.join(' ')}</Code>
          <CopyButton value={secret} what={t('secondFactor.secret')} />
        </Group>
      </div>
      <TextInput
        label={t('secondFactor.code')}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        maxLength={10}
        autoFocus
        {...form.getInputProps('code')}
      />
      <FormError error={error} />
      <Button type="submit" loading={sending}>
        {t('secondFactor.confirm')}
      </Button>
    </Form>
  );
}
