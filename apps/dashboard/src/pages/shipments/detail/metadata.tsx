import { Code, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/card.tsx';

/** What the merchant's system attached, as it was sent; left out where there is nothing. */
export function Metadata({ metadata }: { metadata: Record<string, unknown> }) {
  const { t } = useTranslation('shipment');
  const entries = Object.entries(metadata);
  if (entries.length === 0) return null;
  return (
    <Card title={t('metadata')}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('metadataKey')}</Table.Th>
            <Table.Th>{t('metadataValue')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map(([key, value]) => (
            <Table.Tr key={key}>
              <Table.Td>{key}</Table.Td>
              <Table.Td>
                <Code>{typeof value === 'string' ? value : JSON.stringify(value)}</Code>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
