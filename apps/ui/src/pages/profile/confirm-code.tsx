import { Button, Center, Code, Group, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Form } from '../../parts/form.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { type SecondFactorSetUp, usePersonApi } from '../../session/person-api.ts';

interface Props {
  setUp: SecondFactorSetUp;
  onConfirmed: (recoveryCodes: string[]) => void;
}

export function ConfirmCode({ setUp: { secret, qr }, onConfirmed }: Props) {
  const { t } = useTranslation('profile');
  const { confirmSecondFactor } = usePersonApi();
  const form = useForm({ initialValues: { code: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async (body) => onConfirmed(await confirmSecondFactor(body)));
  return (
    <Form onSubmit={onSubmit}>
      <Text size="sm">{t('secondFactor.scan')}</Text>
      <Center>
        {/* Black on white in both themes, so that scanners read it. */}
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
