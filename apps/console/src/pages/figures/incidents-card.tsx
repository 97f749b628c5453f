import { Table, Text } from '@mantine/core';
import type { ConsoleAnswer } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { useTranslation } from 'react-i18next';
import { ExportLink } from './export-link.tsx';
import classes from './figures.module.css';
import type { Period } from './periods.ts';
import { useWrite } from './use-write.ts';

interface Props {
  incidents: ConsoleAnswer<'readFigures'>['incidents'];
  period: Period;
}

/** Incidents by kind, most frequent first: the bars are in the table. */
export function IncidentsCard({ incidents, period }: Props) {
  const { t } = useTranslation('figures');
  const { t: tInbox } = useTranslation('inbox');
  const write = useWrite();
  const most = Math.max(1, ...incidents.map(({ count }) => count));
  return (
    <Card
      title={t('tables.incident')}
      text={t('incidentsText')}
      aside={incidents.length > 0 && <ExportLink period={period} by="incident" />}
    >
      {incidents.length === 0 ? (
        <Text c="dimmed">{t('noIncidents')}</Text>
      ) : (
        <Table verticalSpacing={6} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={280}>{t('incidentKind')}</Table.Th>
              <Table.Th w={110} ta="right">
                {t('count')}
              </Table.Th>
              <Table.Td aria-hidden />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {incidents.map(({ kind, count }) => (
              <Table.Tr key={kind}>
                <Table.Th scope="row" fw={450}>
                  {tInbox(`incidents.${kind}`)}
                </Table.Th>
                <Table.Td ta="right">{write('count', count)}</Table.Td>
                <Table.Td aria-hidden>
                  <span className={classes.track}>
                    <span className={classes.bar} style={{ width: `${(count / most) * 100}%` }} />
                  </span>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
}
