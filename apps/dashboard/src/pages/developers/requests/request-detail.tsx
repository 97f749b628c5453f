import { Alert, Code, Group, Stack, Text } from '@mantine/core';
import type { LoggedRequest } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { CopyButton } from '@navette/ui/parts/copy-button.tsx';
import { Fact } from '@navette/ui/parts/fact.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import { useExplainRequest } from './use-explain-request.ts';

export function RequestDetail({ request }: { request: LoggedRequest }) {
  const { t } = useTranslation('developers');
  const format = useFormat();
  const meaning = useExplainRequest()(request);
  const path = request.id ? request.route.replace(':id', request.id) : request.route;
  return (
    <Stack>
      {meaning && (
        <Alert color={request.status >= 500 ? 'red' : 'orange'}>
          <Text size="sm" fw={600}>
            {meaning.cause}
          </Text>
          <Text size="sm">{meaning.remedy}</Text>
          {request.fields.length > 0 && (
            <Group gap={6} mt="xs">
              <Text size="sm">{t('requests.fields')}</Text>
              {request.fields.map((field) => (
                <Code key={field}>{field}</Code>
              ))}
            </Group>
          )}
        </Alert>
      )}
      <Group component="dl" gap="xl" m={0} align="flex-start" style={{ rowGap: 8 }}>
        <Fact label={t('requests.requestId')}>
          <Group gap={4}>
            <Code>{request.requestId}</Code>
            <CopyButton value={request.requestId} what={t('requests.requestId')} />
          </Group>
        </Fact>
        <Fact label={t('requests.path')}>
          <Code>{`${request.method} ${path}`}</Code>
        </Fact>
        <Fact label={t('requests.at')}>
          <When at={request.at} as="dateTimeSeconds" />
        </Fact>
        <Fact label={t('requests.duration')}>
          {t('requests.durationMs', { ms: format.number(request.durationMs) })}
        </Fact>
        <Fact label={t('requests.key')}>
          {request.keyName ?? t('keys.unnamed')} {request.keyHint && <Code>…{request.keyHint}</Code>}
        </Fact>
      </Group>
    </Stack>
  );
}
