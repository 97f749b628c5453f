import { Badge, Table } from '@mantine/core';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import { phoneText } from '../../acts/phone.ts';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import { ListPage, usePagedList } from '../list-page.tsx';
import { NewDriverForm } from './new-driver-form.tsx';

/** Drivers, newest first. One by name is found with the search. */
export default function DriversPage() {
  const { t } = useTranslation('driver');
  const may = useMay();
  const query = usePagedList('drivers', (query) => call('listDrivers', { query }));
  return (
    <ListPage
      title={t('list.title')}
      text={t('list.text')}
      creation={
        may('dispatch') ? { button: t('create.open'), title: t('create.title'), form: <NewDriverForm /> } : null
      }
      query={query}
      head={
        <>
          <Table.Th>{t('list.name')}</Table.Th>
          <Table.Th>{t('list.state')}</Table.Th>
          <Table.Th>{t('create.phone')}</Table.Th>
          <Table.Th>{t('create.email')}</Table.Th>
          <Table.Th>{t('list.since')}</Table.Th>
        </>
      }
      rows={(pages) =>
        pages
          .flatMap(({ drivers }) => drivers)
          .map(({ id, name, phone, email, available, createdAt, disabledAt }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <AnchorLink to="/drivers/$id" params={{ id }} fw={550}>
                  {name}
                </AnchorLink>
              </Table.Td>
              <Table.Td>
                <Badge variant="light" tt="none" color={disabledAt ? 'gray' : available ? 'green' : 'orange'}>
                  {t(`states.${disabledAt ? 'disabled' : available ? 'available' : 'unavailable'}`)}
                </Badge>
              </Table.Td>
              <Table.Td>{phoneText(phone)}</Table.Td>
              <Table.Td>{email}</Table.Td>
              <Table.Td>
                <When at={createdAt} as="date" />
              </Table.Td>
            </Table.Tr>
          ))
      }
    />
  );
}
