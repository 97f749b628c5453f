import { Badge, Table, Text } from '@mantine/core';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import { ListPage, usePagedList } from '../list-page.tsx';
import { NewMerchantForm } from './new-merchant-form.tsx';

/** Merchants, newest first. One by name is found with the search. */
export default function MerchantsPage() {
  const { t } = useTranslation('merchant');
  const may = useMay();
  const query = usePagedList('merchants', (query) => call('listMerchants', { query }));
  return (
    <ListPage
      title={t('list.title')}
      text={t('list.text')}
      creation={
        may('administer') ? { button: t('create.open'), title: t('create.title'), form: <NewMerchantForm /> } : null
      }
      query={query}
      head={
        <>
          <Table.Th>{t('edit.name')}</Table.Th>
          <Table.Th>{t('money.status')}</Table.Th>
          <Table.Th>{t('money.mode')}</Table.Th>
          <Table.Th ta="right">{t('money.balance')}</Table.Th>
          <Table.Th>{t('settings.since')}</Table.Th>
        </>
      }
      rows={(pages) =>
        pages
          .flatMap(({ merchants }) => merchants)
          .map(({ id, name, email, paymentStatus, paymentMode, balance, createdAt, closedAt }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <AnchorLink to="/merchants/$id" params={{ id }} fw={550}>
                  {name}
                </AnchorLink>
                <Text size="xs" c="dimmed">
                  {email}
                </Text>
              </Table.Td>
              <Table.Td>
                <Badge variant="light" tt="none" color={closedAt ? 'gray' : STATUS_COLOURS[paymentStatus]}>
                  {closedAt ? t('closed') : t(`paymentStatuses.${paymentStatus}`)}
                </Badge>
              </Table.Td>
              <Table.Td>{t(`money.modes.${paymentMode}`)}</Table.Td>
              <Table.Td ta="right">
                <Money euros={balance} />
              </Table.Td>
              <Table.Td>
                <When at={createdAt} as="date" />
              </Table.Td>
            </Table.Tr>
          ))
      }
    />
  );
}

const STATUS_COLOURS = { current: 'green', grace: 'yellow', payment_required: 'orange', suspended: 'red' } as const;
