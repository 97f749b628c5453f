import { ActionIcon, Button, SegmentedControl, Text } from '@mantine/core';
import type { AssignmentResult } from '@navette/contract';
import { DayField } from '@navette/ui/parts/day-field.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconUserPlus, IconX } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KeysButton } from '../../keys/keys-button.tsx';
import { NeedsPermission } from '../../layout/needs-permission.tsx';
import type { NamedDriver } from './assigned.ts';
import type { BoardFilter } from './board-filter.ts';
import { useShipments } from './board-lists.ts';
import classes from './dispatch.module.css';
import { type BoardDialog, DispatchDialogs } from './dispatch-dialogs.tsx';
import { useDragged } from './drag.ts';
import { DRIVER_SEARCH_ID, DriverColumn } from './driver-column.tsx';
import { ShipmentList } from './shipment-list.tsx';
import { UndoBar } from './undo-bar.tsx';
import { useDispatchKeys } from './use-dispatch-keys.ts';
import { type Chosen, type Selection, useSelection } from './use-selection.ts';
import { useUndo } from './use-undo.ts';

export default function DispatchPage() {
  const { list = 'unassigned', ...filter } = useSearch({ from: '/staff/dispatch' });
  return (
    <NeedsPermission need="dispatch">
      <Board filter={{ list, ...filter }} />
    </NeedsPermission>
  );
}

/** Selection, undo and dialogs are of the whole board; a list with another filter is a new one. */
function Board({ filter }: { filter: BoardFilter }) {
  const { t } = useTranslation('dispatch');
  const selection = useSelection();
  const [dialog, setDialog] = useState<BoardDialog | null>(null);
  const dragged = useDragged();
  const undo = useUndo(
    useCallback((results: AssignmentResult[]) => setDialog({ name: 'results', act: 'undo', results }), []),
  );
  const isHeld = dialog !== null || dragged.length > 0;
  const onAssign = useCallback(
    (shipments: Chosen[], driver: NamedDriver | null = null) => setDialog({ name: 'assign', shipments, driver }),
    [],
  );
  return (
    <div className={classes.page}>
      <PageTitle title={t('title')} text={t('text')}>
        <KeysButton onOpen={() => setDialog({ name: 'keys' })}>{t('keys.open')}</KeysButton>
      </PageTitle>
      <div className={classes.columns}>
        <ShipmentColumn
          filter={filter}
          selection={selection}
          isHeld={isHeld}
          isDialogOpen={dialog !== null}
          dragged={dragged}
          onAssign={onAssign}
          onUndo={undo.undo}
          onSheet={() => setDialog({ name: 'keys' })}
        />
        <DriverColumn
          isHeld={isHeld}
          hasSelection={selection.all.length > 0}
          onAssign={onAssign}
          onAssignSelection={(driver) => onAssign(selection.all, driver)}
        />
      </div>
      <UndoBar undo={undo} />
      <DispatchDialogs
        dialog={dialog}
        onClose={() => setDialog(null)}
        onAssigned={(assigned) => {
          const done = assigned.answer.results.filter(({ outcome }) => outcome === 'done');
          selection.set(
            done.map(({ shipmentId: id }) => ({ id, reference: '' })),
            false,
          );
          undo.offer(assigned);
          const { results } = assigned.answer;
          setDialog(done.length === results.length ? null : { name: 'results', act: 'assign', results });
        }}
      />
    </div>
  );
}

interface ColumnProps {
  filter: BoardFilter;
  selection: Selection;
  isHeld: boolean;
  isDialogOpen: boolean;
  dragged: Chosen[];
  onAssign: (shipments: Chosen[]) => void;
  onUndo: () => void;
  onSheet: () => void;
}

function ShipmentColumn(props: ColumnProps) {
  const { filter, selection, isHeld, isDialogOpen, dragged, onAssign, onUndo, onSheet } = props;
  const { t } = useTranslation('dispatch');
  const navigate = useNavigate({ from: '/dispatch' });
  const [activeId, setActive] = useState<string | null>(null);
  const view = useShipments(filter, isHeld);
  const rows = view.rows ?? [];
  const draggedIds = useMemo(() => new Set(dragged.map(({ id }) => id)), [dragged]);
  const setFilter = (next: Partial<BoardFilter>) => void navigate({ search: next, replace: true });
  const showList = (list: BoardFilter['list']) => setFilter(list === 'slots' ? { list } : {});
  useDispatchKeys({
    ...{ rows, activeId, selection, isDialogOpen, setActive, onAssign, onUndo, onSheet },
    onList: showList,
    onOpenPage: (id) => void navigate({ to: '/shipments/$id', params: { id } }),
    onSearchDriver: () => document.getElementById(DRIVER_SEARCH_ID)?.focus(),
  });
  return (
    <section className={classes.column} aria-label={t(`lists.${filter.list}`)}>
      <div className={classes.bar}>
        <SegmentedControl
          aria-label={t('lists.label')}
          value={filter.list}
          onChange={(list) => showList(list as BoardFilter['list'])}
          data={[
            { value: 'unassigned', label: t('lists.unassigned') },
            { value: 'slots', label: t('lists.slots') },
          ]}
        />
        {filter.list === 'slots' && (
          <DayField
            aria-label={t('fromDay')}
            value={filter.from ?? ''}
            onDay={(from) => setFilter({ list: 'slots', ...(from ? { from } : {}) })}
          />
        )}
        <ListBar selection={selection} shown={view.rows?.length ?? null} view={view} onAssign={onAssign} />
      </div>
      <ShipmentList
        view={view}
        bySlot={filter.list === 'slots'}
        selection={selection}
        activeId={activeId}
        draggedIds={draggedIds}
        onActive={setActive}
        onAssign={onAssign}
      />
    </section>
  );
}

interface BarProps {
  selection: Selection;
  shown: number | null;
  view: { hasMore: boolean; error: unknown };
  onAssign: (shipments: Chosen[]) => void;
}

/** How many are listed; or how many are selected, with the act. */
function ListBar({ selection, shown, view, onAssign }: BarProps) {
  const { t } = useTranslation('dispatch');
  const count = selection.all.length;
  if (count === 0) {
    return (
      <Text size="sm" c="dimmed" className={classes.count} aria-live="polite">
        {shown === null ? '' : view.hasMore ? t('shownMore', { count: shown }) : t('shown', { count: shown })}
        {view.error && shown !== null ? ` · ${t('notRefreshed')}` : ''}
      </Text>
    );
  }
  return (
    <div className={classes.count}>
      <Text size="sm" fw={600} aria-live="polite">
        {selection.isFull ? t('selectedFull', { count }) : t('selected', { count })}
      </Text>
      <Button size="compact-sm" leftSection={<IconUserPlus size={16} />} onClick={() => onAssign(selection.all)}>
        {t('assignSelected')}
      </Button>
      <ActionIcon variant="subtle" color="gray" aria-label={t('clear')} title={t('clear')} onClick={selection.clear}>
        <IconX size={16} />
      </ActionIcon>
    </div>
  );
}
