import {
  Accordion,
  Alert,
  Badge,
  Button,
  Code,
  Group,
  Paper,
  SegmentedControl,
  Select,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { LoggedRequest } from '@navette/contract';
import { REQUEST_LOG } from '@navette/contract/limits';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { ButtonLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { IconFileText, IconInfoCircle, IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RequestDetail } from './request-detail.tsx';
import { METHODS, NO_FILTER, type RequestFilter, requestsQuery, STATUSES } from './request-queries.ts';

const REFRESH_MS = 3_000;

export default function RequestsPage() {
  const { t } = useTranslation('developers');
  const common = useTranslation().t;
  const format = useFormat();
  const [filter, setFilter] = useState<RequestFilter>(NO_FILTER);
  const [isLive, setLive] = useState(true);
  const [debouncedFilter] = useDebouncedValue(filter, 200);
  const requests = useInfiniteQuery({
    ...requestsQuery(debouncedFilter),
    refetchInterval: isLive ? REFRESH_MS : false,
    placeholderData: keepPreviousData,
  });
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return (
    <>
      <PageTitle
        title={t('requests.title')}
        text={t('requests.text', { most: format.number(REQUEST_LOG.most), days: REQUEST_LOG.days })}
      />
      <Filters filter={filter} onChange={setFilter} isLive={isLive} onLive={setLive} />
      <Loaded query={requests} skeleton={<CardSkeleton h={480} />}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.requests);
          if (pages.some(({ isAvailable }) => !isAvailable)) {
            return (
              <Alert color="yellow" icon={<IconInfoCircle />}>
                {t('requests.unavailable')}
              </Alert>
            );
          }
          if (all.length === 0) return <NoRequests isFiltered={isFiltered} />;
          return (
            <Stack>
              <Accordion variant="contained" keepMounted={false}>
                {all.map((request) => (
                  <Accordion.Item key={idOf(request)} value={idOf(request)} data-request={request.requestId}>
                    <Accordion.Control>
                      <RequestLine request={request} />
                    </Accordion.Control>
                    <Accordion.Panel>
                      <RequestDetail request={request} />
                    </Accordion.Panel>
                  </Accordion.Item>
                ))}
              </Accordion>
              {requests.hasNextPage && (
                <Button
                  variant="default"
                  loading={requests.isFetchingNextPage}
                  onClick={() => void requests.fetchNextPage()}
                >
                  {common('more')}
                </Button>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </>
  );
}

interface FiltersProps {
  filter: RequestFilter;
  onChange: (filter: RequestFilter) => void;
  isLive: boolean;
  onLive: (isLive: boolean) => void;
}

function Filters({ filter, onChange, isLive, onLive }: FiltersProps) {
  const { t } = useTranslation('developers');
  return (
    <Group mb="md" align="flex-end" gap="md">
      <TextInput
        label={t('requests.search')}
        placeholder={t('requests.searchPlaceholder')}
        leftSection={<IconSearch size={16} />}
        value={filter.search}
        maxLength={64}
        onChange={(event) => onChange({ ...filter, search: event.currentTarget.value })}
        style={{ flex: '1 1 220px' }}
      />
      <Select
        label={t('requests.method')}
        allowDeselect={false}
        data={[{ value: '', label: t('requests.anyMethod') }, ...METHODS]}
        value={filter.method}
        onChange={(method) => onChange({ ...filter, method: (method ?? '') as RequestFilter['method'] })}
        w={210}
      />
      <SegmentedControl
        aria-label={t('requests.status')}
        data={[{ value: '', label: t('requests.all') }, ...STATUSES]}
        value={filter.status}
        onChange={(status) => onChange({ ...filter, status: status as RequestFilter['status'] })}
      />
      <Switch
        label={t('requests.live')}
        checked={isLive}
        onChange={(event) => onLive(event.currentTarget.checked)}
        mb={8}
      />
    </Group>
  );
}

function NoRequests({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation('developers');
  return (
    <Paper withBorder>
      <EmptyState
        icon={IconFileText}
        title={t(isFiltered ? 'requests.noneTitle' : 'requests.emptyTitle')}
        text={t(isFiltered ? 'requests.noneText' : 'requests.emptyText')}
      >
        {!isFiltered && <ButtonLink to="/developers/start">{t('requests.emptyLink')}</ButtonLink>}
      </EmptyState>
    </Paper>
  );
}

function RequestLine({ request }: { request: LoggedRequest }) {
  const { t } = useTranslation('developers');
  const format = useFormat();
  const { method, route, status, error, durationMs, at } = request;
  return (
    <Group gap="sm" justify="space-between" pr="sm">
      <Group gap="xs" style={{ minWidth: 0 }}>
        <Badge variant="light" color={colourOf(status)} w={56} tt="none">
          {status}
        </Badge>
        <Text size="sm" fw={600} span>
          {method}
        </Text>
        <Text size="sm" span ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {route}
        </Text>
        {error && <Code>{error}</Code>}
      </Group>
      <Text size="sm" c="dimmed">
        {t('requests.durationMs', { ms: format.number(Math.round(durationMs)) })} ·{' '}
        <When at={at} as="dateTimeSeconds" />
      </Text>
    </Group>
  );
}

/** Unique, since a client may send the same request id twice, and without spaces, which HTML ids exclude. */
const idOf = ({ requestId, at }: LoggedRequest) => `${requestId}-${Date.parse(at)}`;

const colourOf = (status: number) => (status < 400 ? 'green' : status < 500 ? 'orange' : 'red');
