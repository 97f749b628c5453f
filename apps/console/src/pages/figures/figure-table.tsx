import { Table } from '@mantine/core';
import type { FigureRow, FiguresBy } from '@navette/contract';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../session/session.ts';
import classes from './figures.module.css';
import { measureFigures, share } from './measures.ts';
import { useRowName } from './use-row-name.ts';
import { useWrite } from './use-write.ts';

interface Props {
  rows: FigureRow[];
  by: FiguresBy;
}

const COLUMNS = ['delivered', 'onTime', 'toDriver', 'toDoor', 'cancelled', 'returned', 'incidents'] as const;
const MONEY_COLUMNS = ['chargedPerRun', 'payPerRun'] as const;

/** All figures of each row. */
export function FigureTable({ rows, by }: Props) {
  const { t } = useTranslation('figures');
  const maySeeMoney = useMay()('money');
  const columns = [...COLUMNS, ...(maySeeMoney ? MONEY_COLUMNS : [])];
  return (
    <Table.ScrollContainer minWidth={920} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table verticalSpacing={6} highlightOnHover className={classes.table} aria-label={t(`tables.${by}`)}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(`by.${by}`)}</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} ta="right">
                {t(`columns.${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <FigureLine key={row.key} row={row} by={by} maySeeMoney={maySeeMoney} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function FigureLine({ row, by, maySeeMoney }: { row: FigureRow; by: FiguresBy; maySeeMoney: boolean }) {
  const write = useWrite();
  const times = (p50: number | null, p95: number | null) =>
    p50 === null ? '—' : `${write('duration', p50)} · ${write('duration', p95)}`;
  const cells = [
    write('count', row.delivered),
    write('share', share(row.onTime, row.delivered)),
    times(row.toDriverP50, row.toDriverP95),
    times(row.toDoorP50, row.toDoorP95),
    ...[row.cancelled, row.returned, row.incidents].map((count) => write('count', count)),
    ...(maySeeMoney ? MONEY_COLUMNS.map((measure) => write('euros', measureFigures(measure, row).value)) : []),
  ];
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={450}>
        <RowName row={row} by={by} />
      </Table.Th>
      {cells.map((cell, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table keep their places
        <Table.Td key={i} ta="right">
          {cell}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function RowName({ row, by }: { row: FigureRow; by: FiguresBy }) {
  const name = useRowName()(by, row);
  if (by !== 'merchant' && by !== 'driver') return name;
  return (
    <AnchorLink to={by === 'merchant' ? '/merchants/$id' : '/drivers/$id'} params={{ id: row.key }} size="sm">
      <bdi>{name}</bdi>
    </AnchorLink>
  );
}
