import { Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { ConfirmButton } from '@navette/ui/parts/confirm-button.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useMay } from '../../../session/session.ts';
import { type Import, importQuery } from './imports-queries.ts';

export function ImportProgress({ of }: { of: Import }) {
  const { t } = useTranslation('imports');
  const format = useFormat();
  const may = useMay();
  const queryClient = useQueryClient();
  const done = of.created + of.failed;
  const stop = useMutation({
    mutationFn: () => call('cancelImport', { params: { id: of.id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: importQuery(of.id).queryKey }),
  });
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm">
        <Group justify="space-between">
          <Text fw={600}>{t('progress')}</Text>
          <Text aria-live="polite">
            {t('progressOf', { done: format.number(done), total: format.number(of.good) })}
          </Text>
        </Group>
        <Progress
          value={(100 * done) / Math.max(of.good, 1)}
          size="lg"
          transitionDuration={400}
          aria-label={t('progress')}
        />
        <Group justify="space-between">
          <Text size="sm" c="dimmed">
            {t('progressHint')}
          </Text>
          {may('ship') && (
            <ConfirmButton
              size="xs"
              title={t('stopTitle')}
              text={t('stopText')}
              confirm={t('stop')}
              loading={stop.isPending}
              onConfirm={() => stop.mutate()}
            >
              {t('stop')}
            </ConfirmButton>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
