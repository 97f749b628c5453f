import { Box, Group, Paper, Stack, Table, Text } from '@mantine/core';
import type { LedgerEntry } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';

/** A table on wide screens, a list of cards on phones. */
export function LedgerTable({ entries }: { entries: readonly LedgerEntry[] }) {
  const { t } = useTranslation('account');
  return (
    <>
      <Paper withBorder visibleFrom="sm" w="100%">
        <Table verticalSpacing="sm" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('ledger.date')}</Table.Th>
              <Table.Th>{t('ledger.what')}</Table.Th>
              <Table.Th ta="right">{t('ledger.amount')}</Table.Th>
              <Table.Th ta="right">{t('ledger.balanceAfter')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {entries.map((entry) => (
              <Table.Tr key={entry.entry}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  <When at={entry.createdAt} />
                </Table.Td>
                <Table.Td>
                  <EntryDescription entry={entry} />
                </Table.Td>
                <Table.Td ta="right">
                  <Amount euros={entry.amount} />
                </Table.Td>
                <Table.Td ta="right">
                  <Money euros={entry.balanceAfter} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Paper>
      <Stack hiddenFrom="sm" gap="xs" w="100%" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {entries.map((entry) => (
          <Paper key={entry.entry} component="li" withBorder p="sm">
            <Group justify="space-between" wrap="nowrap" align="flex-start">
              <Box style={{ minWidth: 0 }}>
                <EntryDescription entry={entry} />
                <Text size="xs" c="dimmed">
                  <When at={entry.createdAt} />
                </Text>
              </Box>
              <Box ta="right">
                <Amount euros={entry.amount} />
                <Text size="xs" c="dimmed">
                  {t('ledger.balanceAfter')} <Money euros={entry.balanceAfter} />
                </Text>
              </Box>
            </Group>
          </Paper>
        ))}
      </Stack>
    </>
  );
}

function EntryDescription({ entry: { kind, note, shipment } }: { entry: LedgerEntry }) {
  const { t } = useTranslation('account');
  return (
    <Text size="sm" component="div">
      {t(`ledger.kinds.${kind}`)}{' '}
      {shipment && (
        <AnchorLink to="/shipments/$id" params={{ id: shipment.id }} ff="monospace" size="sm">
          {shipment.referenceNumber}
        </AnchorLink>
      )}
      {(shipment?.orderId ?? note) && (
        <Text size="xs" c="dimmed">
          {shipment?.orderId ?? note}
        </Text>
      )}
    </Text>
  );
}

function Amount({ euros }: { euros: number }) {
  const { money } = useFormat();
  return (
    <Text size="sm" span fw={600} {...(euros > 0 ? { c: 'green' } : {})} style={{ whiteSpace: 'nowrap' }}>
      {euros > 0 ? '+' : ''}
      {money(euros)}
    </Text>
  );
}
