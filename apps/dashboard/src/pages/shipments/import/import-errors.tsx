import { Button, Code, Group, Table, Text } from '@mantine/core';
import { Card } from '@navette/ui/parts/card.tsx';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../../api/call.ts';
import styles from '../shipments.module.css';
import type { Import } from './imports-queries.ts';
import { useExplainImportError } from './use-explain-import-error.ts';

/** Lines that cannot be created: position, value and reason. */
export function ImportErrors({ of }: { of: Import }) {
  const { t } = useTranslation('imports');
  const explain = useExplainImportError();
  if (of.bad + of.failed === 0 || of.erasedAt) return null;
  return (
    <Card title={t('errors')}>
      <Group justify="space-between" mb="md" gap="sm">
        <Text size="sm" c="dimmed">
          {t('downloadErrorsHint')}
        </Text>
        <Button
          component="a"
          href={urlOf('importErrors', { params: { id: of.id } })}
          download
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} />}
        >
          {t('downloadErrors')}
        </Button>
      </Group>
      <Table.ScrollContainer type="native" minWidth={280} tabIndex={0} aria-label={t('errors')}>
        <Table className={styles.table ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={64}>{t('line')}</Table.Th>
              <Table.Th>{t('field')}</Table.Th>
              <Table.Th visibleFrom="sm">{t('value')}</Table.Th>
              <Table.Th>{t('problem')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {of.errors.map((error) => (
              <Table.Tr key={`${error.line} ${error.field} ${error.rule}`}>
                <Table.Td>{error.line}</Table.Td>
                <Table.Td>
                  {explain.field(error.field)}
                  {error.value && (
                    <Code hiddenFrom="sm" display="block" w="fit-content">
                      {error.value}
                    </Code>
                  )}
                </Table.Td>
                <Table.Td visibleFrom="sm">{error.value ? <Code>{error.value}</Code> : '—'}</Table.Td>
                <Table.Td>{explain.problem(error)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}
