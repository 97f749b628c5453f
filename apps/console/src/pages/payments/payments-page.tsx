import { Badge, Button, Group, Select, Table, Text } from '@mantine/core';
import type { ConsolePayment } from '@navette/contract';
import { useChange } from '@navette/ui/api/use-change.ts';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { ListPage, usePagedList } from '../list-page.tsx';
import { RecordTransferForm } from './record-transfer-form.tsx';
import { ReviewDecision } from './review-decision.tsx';

type State = ConsolePayment['status'];

const STATE_COLOURS: Record<State, string> = {
  review: 'orange',
  waiting: 'orange',
  processing: 'blue',
  open: 'gray',
  succeeded: 'green',
  failed: 'red',
  expired: 'gray',
  rejected: 'red',
};
const STATES = Object.keys(STATE_COLOURS) as State[];

/** Payments of all merchants, newest first, and the form that records a bank transfer. */
export default function PaymentsPage() {
  const { t } = useTranslation('payments');
  const [status, setStatus] = useState<State | null>(null);
  const query = usePagedList(`payments ${status ?? ''}`, (page) =>
    call('listConsolePayments', { query: { ...page, ...(status ? { status } : {}) } }),
  );
  return (
    <ListPage
      title={t('title')}
      text={t('text')}
      filter={
        <Select
          aria-label={t('filter')}
          placeholder={t('allStates')}
          data={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
          value={status}
          onChange={(value) => setStatus(value as State | null)}
          clearable
          clearButtonProps={{ 'aria-label': t('allStates') }}
          w={220}
        />
      }
      creation={{ button: t('record.open'), title: t('record.title'), form: <RecordTransferForm /> }}
      query={query}
      head={
        <>
          <Table.Th>{t('merchant')}</Table.Th>
          <Table.Th>{t('method')}</Table.Th>
          <Table.Th>{t('state')}</Table.Th>
          <Table.Th ta="right">{t('amount')}</Table.Th>
          <Table.Th>{t('date')}</Table.Th>
        </>
      }
      rows={(pages) =>
        pages
          .flatMap(({ payments }) => payments)
          .map((payment) => <Row key={payment.id} payment={payment} onDecided={() => void query.refetch()} />)
      }
      empty={t('empty')}
    />
  );
}

function Row({ payment, onDecided }: { payment: ConsolePayment; onDecided: () => void }) {
  const { t } = useTranslation('payments');
  const { merchant, method, status, amount, refunded, bankId, providerId, createdAt } = payment;
  return (
    <Table.Tr>
      <Table.Td>
        <AnchorLink to="/merchants/$id" params={{ id: merchant.id }} fw={550}>
          {merchant.name}
        </AnchorLink>
      </Table.Td>
      <Table.Td>
        {t(`methods.${method}`)}
        <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {bankId ?? providerId}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge variant={status === 'open' ? 'outline' : 'light'} tt="none" color={STATE_COLOURS[status]}>
          {t(`states.${status}`)}
        </Badge>
        {status === 'review' && <ReviewDecision payment={payment} onDecided={onDecided} />}
        {status === 'waiting' && <Decision payment={payment} />}
      </Table.Td>
      <Table.Td ta="right">
        <Money euros={amount} />
        {refunded > 0 && (
          <Text size="xs" c="dimmed">
            {t('refunded')} <Money euros={refunded} />
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <When at={createdAt} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Of the second person: the first one sees that it waits. */
function Decision({ payment: { id, isOwn, received } }: { payment: ConsolePayment }) {
  const { t } = useTranslation('payments');
  const decide = useChange({
    change: (approve: boolean) => call('decideTransfer', { params: { id }, body: { approve } }),
    done: (approve) => t(approve ? 'confirmed' : 'rejected'),
    queryKey: [],
  });
  if (isOwn) {
    return (
      <Text size="xs" mt={4}>
        {t('waitsForAnother')}
      </Text>
    );
  }
  return (
    <>
      {received && (
        <Text size="xs" mt={4}>
          {t('toBeCredited')} <Money euros={received.amount} />
        </Text>
      )}
      <Group gap="xs" mt={6}>
        <Button size="compact-xs" loading={decide.isPending} onClick={() => decide.mutate(true)}>
          {t('confirm')}
        </Button>
        <Button size="compact-xs" variant="default" disabled={decide.isPending} onClick={() => decide.mutate(false)}>
          {t('reject')}
        </Button>
      </Group>
    </>
  );
}
