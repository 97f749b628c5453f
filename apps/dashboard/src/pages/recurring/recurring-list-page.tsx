import { Group, Paper, Stack, Text } from '@mantine/core';
import type { RecurringSummary } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { AnchorLink, ButtonLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconPlus, IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../session/session.ts';
import { Hours } from '../../shared/hours.tsx';
import { CardList } from '../developers/card-list.tsx';
import { Problem } from './problem.tsx';
import { recurringListQuery } from './recurring-queries.ts';
import { RecurringBadge } from './state-badge.tsx';
import { useRuleInWords } from './use-rule-in-words.ts';

export default function RecurringListPage() {
  const { t } = useTranslation('recurring');
  const may = useMay();
  const query = useQuery(recurringListQuery);
  const add = may('ship') && (
    <ButtonLink to="/recurring/new" leftSection={<IconPlus size={16} />}>
      {t('new')}
    </ButtonLink>
  );
  return (
    <>
      <PageTitle title={t('title')} text={t('text')}>
        {query.data?.recurring.length !== 0 && add}
      </PageTitle>
      <Loaded query={query} skeleton={<CardSkeleton h={240} />}>
        {({ recurring }) =>
          recurring.length === 0 ? (
            <Paper withBorder>
              <EmptyState icon={IconRepeat} title={t('emptyTitle')} text={t('emptyText')}>
                {add}
              </EmptyState>
            </Paper>
          ) : (
            <CardList>
              {recurring.map((one) => (
                <RecurringCard key={one.id} recurring={one} />
              ))}
            </CardList>
          )
        }
      </Loaded>
    </>
  );
}

function RecurringCard({ recurring }: { recurring: RecurringSummary }) {
  const { t } = useTranslation('recurring');
  const format = useFormat();
  const inWords = useRuleInWords();
  const { id, state, recipientName, city, nature, next, timeSlot } = recurring;
  return (
    <Paper component="li" withBorder p="md">
      <Stack gap={6}>
        <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
          <AnchorLink fw={600} to="/recurring/$id" params={{ id }} style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            {recipientName === null ? t('erased') : `${recipientName}, ${city}`}
          </AnchorLink>
          <RecurringBadge state={state} />
        </Group>
        <Text size="sm">
          {inWords(recurring)} · <Hours in={timeSlot} />
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {[nature, next ? t('next', { when: format.dayTime(next.startsAt) }) : t('noNext')]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        <Problem problem={recurring.problem} />
      </Stack>
    </Paper>
  );
}
