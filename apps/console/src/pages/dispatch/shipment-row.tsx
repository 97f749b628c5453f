import { ActionIcon, Badge, Checkbox, Menu, Text } from '@mantine/core';
import type { BoardShipment } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import { IconDots, IconExternalLink, IconUserPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './dispatch.module.css';
import { useDrag } from './drag.ts';
import type { Chosen, Selection } from './use-selection.ts';

interface Props {
  shipment: BoardShipment;
  /** The server's time. */
  now: string;
  /** Pixels from the top of the list. */
  top: number;
  height: number;
  row: number;
  /** A title above names the day. */
  isUnderSlot: boolean;
  isSelected: boolean;
  isActive: boolean;
  isDragged: boolean;
  selection: Selection;
  onActive: (id: string) => void;
  onAssign: (shipments: Chosen[]) => void;
}

/** The id of the row in the document. */
export const rowId = (id: string) => `board-${id}`;

/**
 * One shipment. A click selects it; it can be dragged, alone or with the selection. Scrolling renders the list for each
 * frame, but no row again that is the same.
 */
export const ShipmentRow = memo(function ShipmentRow(props: Props) {
  const { shipment, now, top, height, row, isUnderSlot, isSelected, isActive, isDragged } = props;
  const { selection, onActive, onAssign } = props;
  const { t } = useTranslation('dispatch');
  const element = useRef<HTMLDivElement>(null);
  useDrag(element, () => selection.with(shipment));
  const { id, reference, account, from, to } = shipment;
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the list has the focus and handles the keys
    <div
      ref={element}
      id={rowId(id)}
      role="row"
      aria-rowindex={row}
      aria-selected={isSelected}
      data-active={isActive || undefined}
      data-dragged={isDragged || undefined}
      className={classes.row}
      style={{ transform: `translateY(${top}px)`, height }}
      onClick={() => {
        onActive(id);
        selection.toggle(shipment);
      }}
    >
      <Cell>
        <Checkbox
          checked={isSelected}
          readOnly
          tabIndex={-1}
          aria-label={t('select', { reference })}
          className={classes.checkbox}
        />
      </Cell>
      <Cell>
        <Text size="sm" truncate>
          <AnchorLink
            to="/shipments/$id"
            params={{ id }}
            tabIndex={-1}
            draggable={false}
            size="sm"
            fw={600}
            ff="monospace"
            onClick={(event) => event.stopPropagation()}
          >
            {reference}
          </AnchorLink>{' '}
          {account}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {t('way', { from: from ?? '?', to: to ?? '?' })}
          {shipment.driver && ` · ${shipment.driver.name}`}
        </Text>
      </Cell>
      <Cell end>
        <Due shipment={shipment} now={now} isUnderSlot={isUnderSlot} />
        <State shipment={shipment} />
      </Cell>
      <Cell>
        <RowMenu shipment={shipment} onAssign={() => onAssign(selection.with(shipment))} />
      </Cell>
    </div>
  );
});

function Cell({ end, children }: { end?: boolean; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: the list has the focus
    <div role="gridcell" className={classes.cell} data-end={end || undefined}>
      {children}
    </div>
  );
}

/** Slot or express; the day unless it is today or stands above; and that it is late. */
function Due({ shipment, now, isUnderSlot }: { shipment: BoardShipment; now: string; isUnderSlot: boolean }) {
  const { t } = useTranslation('dispatch');
  const format = useFormat();
  const { timeSlot, slotStartsAt, promisedUntil } = shipment;
  const isLate = promisedUntil < now;
  const lastDay = format.date(new Date(Date.parse(promisedUntil) - 1)); // it ends at midnight
  const what = timeSlot ?? t('express');
  const needsDay = isLate || !(isUnderSlot || lastDay === format.date(now) || slotStartsAt === null);
  const when = needsDay ? `${lastDay}, ${what}` : what;
  return (
    <Text size="sm" className={classes.due} data-late={isLate || undefined}>
      {isLate ? t('late', { when }) : when}
    </Text>
  );
}

/** Why a parcel has no driver, or its state. */
function State({ shipment: { status, search } }: { shipment: BoardShipment }) {
  const { t } = useTranslation('dispatch');
  if (status !== 'created') return <StatusBadge status={status} />;
  const colour = { searching: 'blue', unassigned: 'red', needs_location: 'orange', none: 'gray' };
  const state = search ?? 'none';
  return (
    <Badge variant="light" color={colour[state]} tt="none" fw={600} style={{ flexShrink: 0 }}>
      {t(`search.${state}`)}
    </Badge>
  );
}

/** A menu has many parts, and most rows are only scrolled past: it is built when it is opened for the first time. */
function RowMenu({ shipment: { id, reference }, onAssign }: { shipment: BoardShipment; onAssign: () => void }) {
  const { t } = useTranslation('dispatch');
  const [isBuilt, setIsBuilt] = useState(false);
  const button = (
    <ActionIcon
      variant="subtle"
      color="gray"
      tabIndex={-1}
      aria-label={t('menu.open', { reference })}
      aria-haspopup="menu"
      onClick={(event) => {
        event.stopPropagation();
        setIsBuilt(true);
      }}
    >
      <IconDots size={18} />
    </ActionIcon>
  );
  if (!isBuilt) return button;
  return (
    <Menu position="bottom-end" withinPortal defaultOpened>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        <Menu.Item leftSection={<IconUserPlus size={16} />} onClick={onAssign}>
          {t('menu.assign')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconExternalLink size={16} />}
          renderRoot={(root) => <Link to="/shipments/$id" params={{ id }} {...root} />}
        >
          {t('menu.page')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
