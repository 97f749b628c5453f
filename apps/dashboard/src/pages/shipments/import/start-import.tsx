import { Alert, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useMay } from '../../../session/session.ts';
import { type Import, importQuery, importsQuery } from './imports-queries.ts';

/** Number of shipments, their cost, and the button that starts the import. */
export function StartImport({ of }: { of: Import }) {
  const { t } = useTranslation('imports');
  const format = useFormat();
  const may = useMay();
  const explain = useExplainError();
  const queryClient = useQueryClient();
  const start = useMutation({
    mutationFn: () => call('startImport', { params: { id: of.id } }),
    onSuccess: (answer) => queryClient.setQueryData(importQuery(of.id).queryKey, answer),
    onSettled: () => queryClient.invalidateQueries({ queryKey: importsQuery.queryKey }),
  });
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 2, sm: 4 }}>
        <Figure label={t('lines')}>{format.number(of.lines)}</Figure>
        <Figure label={t('ready')} colour="green">
          {format.number(of.good)}
        </Figure>
        <Figure label={t('toFix')} {...(of.bad > 0 ? { colour: 'red' } : {})}>
          {format.number(of.bad)}
        </Figure>
        <Figure label={t('amount')}>{format.money(of.amount)}</Figure>
      </SimpleGrid>
      {of.sameFileAs && (
        <Alert color="orange" title={t('sameFileTitle')}>
          {t('sameFileText', { when: format.dateTime(of.sameFileAs.startedAt) })}{' '}
          <AnchorLink
            to="/shipments/import/$id"
            params={{ id: of.sameFileAs.id }}
            c="inherit"
            underline="always"
            size="sm"
          >
            {t('sameFileSee')}
          </AnchorLink>
        </Alert>
      )}
      {of.missingFields.length > 0 && (
        <Alert color="red" title={t('missingTitle')}>
          {of.missingFields.map((field) => t(`fields.${field}`)).join(', ')}
        </Alert>
      )}
      {start.isError && (
        <Alert color="red" role="alert">
          {explain(start.error)}
        </Alert>
      )}
      {of.good === 0 && <Alert color="orange">{t('startNone')}</Alert>}
      {of.good > 0 && may('ship') && (
        <Group gap="md">
          <Button size="md" loading={start.isPending} onClick={() => start.mutate()}>
            {t('start', { count: of.good })}
          </Button>
          <Text size="sm" c="dimmed">
            {of.bad > 0 && `${t('startPartly')} `}
            {t('balance', { balance: format.money(of.balance) })}
          </Text>
        </Group>
      )}
    </Stack>
  );
}

function Figure({ label, colour, children }: { label: string; colour?: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz="xl" fw={650} {...(colour ? { c: `var(--mantine-color-${colour}-text)` } : {})}>
        {children}
      </Text>
    </Paper>
  );
}
