import { ActionIcon, Badge, Menu, Text } from '@mantine/core';
import type { BoardDriver } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { STATUS_COLOURS } from '@navette/ui/parts/status-badge.tsx';
import { IconDots, IconExternalLink, IconUserPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type Ref, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { NamedDriver } from './assigned.ts';
import classes from './dispatch.module.css';
import { useDrag, useDrop } from './drag.ts';
import type { Chosen } from './use-selection.ts';

interface Props {
  ref: Ref<HTMLLIElement>;
  index: number;
  driver: BoardDriver;
  /** Parcels at most. */
  most: number;
  place: { transform: string };
  hasSelection: boolean;
  onAssign: (shipments: Chosen[], driver: NamedDriver) => void;
  onAssignSelection: (driver: NamedDriver) => void;
}

const RUNS_SHOWN = 6;

/** A driver with the parcels under way. Shipments can be dropped here, and assigned ones dragged to another driver. */
export function DriverCard({ ref, index, driver, most, place, hasSelection, onAssign, onAssignSelection }: Props) {
  const { t } = useTranslation('dispatch');
  const target = useRef<HTMLDivElement>(null);
  const { id, name, available, positionAt, runCount, runs } = driver;
  const isOver = useDrop(target, (shipments) => onAssign(shipments, { id, name }));
  return (
    <li ref={ref} data-index={index} className={classes.place} style={place}>
      <div ref={target} className={classes.driver} data-over={isOver || undefined}>
        <div className={classes.driverHead}>
          <AnchorLink to="/drivers/$id" params={{ id }} size="sm" fw={600} truncate draggable={false}>
            {name}
          </AnchorLink>
          <Badge variant="light" color={available ? 'green' : 'gray'} tt="none">
            {t(available ? 'drivers.available' : 'drivers.away')}
          </Badge>
          {available && !positionAt && (
            <Badge variant="light" color="orange" tt="none">
              {t('drivers.noPosition')}
            </Badge>
          )}
          <Text size="sm" className={classes.load} data-full={runCount >= most || undefined}>
            {t('drivers.load', { count: runCount, most })}
          </Text>
          <DriverMenu
            driver={driver}
            hasSelection={hasSelection}
            onAssignSelection={() => onAssignSelection({ id, name })}
          />
        </div>
        {runs.length === 0 ? (
          <Text size="xs" c="dimmed">
            {t('drivers.noRuns')}
          </Text>
        ) : (
          <div className={classes.runs}>
            {runs.slice(0, RUNS_SHOWN).map((run) => (
              <Run key={run.id} run={run} />
            ))}
            {runCount > RUNS_SHOWN && (
              <Text size="xs" c="dimmed" component="span">
                {t('drivers.moreRuns', { count: runCount - RUNS_SHOWN })}
              </Text>
            )}
          </div>
        )}
      </div>
    </li>
  );
}

function Run({ run }: { run: BoardDriver['runs'][number] }) {
  const { t: tCommon } = useTranslation();
  const format = useFormat();
  const element = useRef<HTMLAnchorElement>(null);
  const { id, reference, status, to, timeSlot, promisedUntil } = run;
  // A parcel that was picked up stays with its driver.
  useDrag(element, status === 'assigned' ? () => [{ id, reference }] : null);
  const title = `${tCommon(`statuses.${status}`)} · ${timeSlot ?? format.dayTime(promisedUntil)}`;
  return (
    <Link ref={element} to="/shipments/$id" params={{ id }} className={classes.run} title={title}>
      <span className={classes.dot} style={{ background: `var(--mantine-color-${STATUS_COLOURS[status]}-6)` }} />
      {reference}
      <span className={classes.runTo}>{to}</span>
    </Link>
  );
}

interface MenuProps {
  driver: NamedDriver;
  hasSelection: boolean;
  onAssignSelection: () => void;
}

function DriverMenu({ driver: { id, name }, hasSelection, onAssignSelection }: MenuProps) {
  const { t } = useTranslation('dispatch');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('drivers.menu', { name })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUserPlus size={16} />} disabled={!hasSelection} onClick={onAssignSelection}>
          {t('drivers.assignSelection')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconExternalLink size={16} />}
          renderRoot={(root) => <Link to="/drivers/$id" params={{ id }} {...root} />}
        >
          {t('drivers.page')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
