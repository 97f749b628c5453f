import { Anchor, Badge, Select, Table, Text, TextInput } from '@mantine/core';
import type { ConsoleInvoice } from '@navette/contract';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, urlOf } from '../../api/call.ts';
import { ListPage, usePagedList } from '../list-page.tsx';
import { MerchantFilter } from './merchant-filter.tsx';

const STATES = ['due', 'settled', 'credit_note'] as const;
type State = (typeof STATES)[number];
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

const route = getRouteApi('/staff/invoices');

/** Invoices and credit notes of all merchants, newest first, by merchant, month and state. */
export default function InvoicesPage() {
  const { t } = useTranslation('invoices');
  const [state, setState] = useState<State | null>(null);
  const [typed, setTyped] = useState('');
  const month = MONTH.test(typed) ? typed : '';
  const { account } = route.useSearch();
  const navigate = route.useNavigate();
  const [name, setName] = useState('');
  const filter = { ...(account ? { account } : {}), ...(state ? { state } : {}), ...(month ? { month } : {}) };
  const query = usePagedList(`invoices ${account ?? ''} ${month} ${state ?? ''}`, (page) =>
    call('listConsoleInvoices', { query: { ...page, ...filter } }),
  );
  const shownName = name || query.data?.pages[0]?.invoices[0]?.merchant.name || '';
  return (
    <ListPage
      title={t('title')}
      text={t('text')}
      filter={
        <>
          <MerchantFilter
            value={account ? { id: account, name: shownName } : null}
            onChange={(merchant) => {
              setName(merchant?.name ?? '');
              void navigate({ search: merchant ? { account: merchant.id } : {}, replace: true });
            }}
          />
          <TextInput
            type="month"
            aria-label={t('month')}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            w={170}
          />
          <Select
            aria-label={t('state')}
            placeholder={t('allStates')}
            data={STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
            value={state}
            onChange={(value) => setState(value as State | null)}
            clearable
            clearButtonProps={{ 'aria-label': t('allStates') }}
            w={190}
          />
        </>
      }
      creation={null}
      query={query}
      empty={t('empty')}
      head={
        <>
          <Table.Th>{t('number')}</Table.Th>
          <Table.Th>{t('merchant')}</Table.Th>
          <Table.Th>{t('state')}</Table.Th>
          <Table.Th ta="right">{t('net')}</Table.Th>
          <Table.Th ta="right">{t('gross')}</Table.Th>
        </>
      }
      rows={(pages) =>
        pages.flatMap(({ invoices }) => invoices).map((invoice) => <Row key={invoice.number} invoice={invoice} />)
      }
    />
  );
}

function Row({ invoice }: RowProps) {
  const { number, kind, month, merchant, corrects, issuedOn, dueOn, net, gross, due, platform } = invoice;
  const { t, i18n } = useTranslation('invoices');
  const day = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' });
  const dayOf = (date: string) => day.format(new Date(`${date}T12:00:00Z`));
  const state = kind === 'credit_note' ? 'credit_note' : dueOn ? 'due' : 'settled';
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor href={urlOf('readConsoleInvoicePdf', { params: { number } })} download fw={550}>
          {number}
        </Anchor>
        <Text size="xs" c="dimmed">
          {t('issued', { date: dayOf(issuedOn), month })}
        </Text>
      </Table.Td>
      <Table.Td>
        <AnchorLink to="/merchants/$id" params={{ id: merchant.id }}>
          {merchant.name}
        </AnchorLink>
      </Table.Td>
      <Table.Td>
        <Badge variant="light" tt="none" color={STATE_COLOURS[state]}>
          {t(`states.${state}`)}
        </Badge>
        {dueOn && (
          <Text size="xs" c="dimmed">
            <Money euros={due} /> · {t('dueBy', { date: dayOf(dueOn) })}
          </Text>
        )}
        {corrects && (
          <Text size="xs" c="dimmed">
            {t('corrects', { number: corrects })}
          </Text>
        )}
        {platform && (
          <Text size="xs" {...(isBad(platform) ? { c: 'red' } : { c: 'dimmed' })}>
            {t(`platform.${platform.status ?? platform.state}`)}
            {platform.at && ` · ${day.format(new Date(platform.at))}`}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">
        <Money euros={kind === 'invoice' ? net : -net} />
      </Table.Td>
      <Table.Td ta="right">
        <Money euros={kind === 'invoice' ? gross : -gross} />
      </Table.Td>
    </Table.Tr>
  );
}

/** The operator must look at it. */
const isBad = ({ state, status }: NonNullable<ConsoleInvoice['platform']>): boolean =>
  state === 'failed' || status === 'refused' || status === 'rejected' || status === 'disputed';

interface RowProps {
  invoice: ConsoleInvoice;
}

const STATE_COLOURS: Record<State, string> = { due: 'orange', settled: 'green', credit_note: 'blue' };
