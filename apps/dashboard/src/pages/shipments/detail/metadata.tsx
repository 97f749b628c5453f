import { Code, Table } from '@mantine/core';
import { Card } from '@navette/ui/parts/card.tsx';
import { useTranslation } from 'react-i18next';

/** Metadata of the merchant's system, as sent. Hidden when empty. */
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
