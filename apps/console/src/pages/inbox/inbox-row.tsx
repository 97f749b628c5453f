import { Button, Text, ThemeIcon, Tooltip } from '@mantine/core';
import type { InboxEntry } from '@navette/contract';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { useTranslation } from 'react-i18next';
import type { Conflict } from '../../acts/conflict.ts';
import { ConflictText } from '../../acts/conflict-text.tsx';
import { useSession } from '../../session/session.ts';
import { Elapsed } from './elapsed-text.tsx';
import { GoneText } from './gone-text.tsx';
import classes from './inbox.module.css';
import { KIND_LOOKS } from './kind-look.ts';
import type { Row } from './merge-rows.ts';
import type { ChangeRow, OpenDialog } from './row-acts.ts';
import { RowButtons } from './row-buttons.tsx';
import { useDescribeEntry } from './use-describe-entry.ts';

interface Props {
  row: Row;
  /** The server's time. */
  now: string;
  isSelected: boolean;
  /** The row that Tab leads to. */
  isTabStop: boolean;
  conflict: Conflict | undefined;
  isBusy: boolean;
  onSelect: (key: string) => void;
  onChange: ChangeRow;
  onOpen: (dialog: OpenDialog) => void;
}

/** One entry: why it needs a person, whom it concerns, since when, who has taken it, and the next act. */
export function InboxRow(props: Props) {
  const { row, now, isSelected, isTabStop, conflict, isBusy, onSelect, onChange, onOpen } = props;
  const { t } = useTranslation('inbox');
  const { entry, isGone } = row;
  const { why, whom } = useDescribeEntry()(entry);
  const { icon: Icon, colour } = KIND_LOOKS[entry.kind];
  return (
    <li
      className={`${classes.row} ${isGone ? classes.gone : ''}`}
      data-key={entry.key}
      tabIndex={isTabStop ? 0 : -1}
      aria-current={isSelected || undefined}
      onFocus={() => onSelect(entry.key)}
    >
      <Tooltip label={t(`kinds.${entry.kind}`)} withArrow>
        <ThemeIcon
          variant="light"
          color={isGone ? 'gray' : colour}
          size={26}
          aria-label={t(`kinds.${entry.kind}`)}
          role="img"
        >
          <Icon size={16} stroke={1.8} />
        </ThemeIcon>
      </Tooltip>
      <div className={classes.what}>
        <div className={classes.why}>{why}</div>
        <div className={classes.whom}>
          {whom && (
            <Text span size="sm" c="dimmed" truncate>
              {whom}
            </Text>
          )}
          <PageLink entry={entry} />
        </div>
      </div>
      <div className={classes.side}>
        <Text component="span" size="sm" className={classes.since}>
          <Elapsed since={entry.since} now={now} />
        </Text>
        {!isGone && <Taker entry={entry} />}
      </div>
      {isGone ? (
        <div className={classes.buttons}>
          <GoneText entry={entry} />
          {(entry.state === 'resolved' || entry.state === 'snoozed') && (
            <Button size="compact-sm" variant="subtle" onClick={() => void onChange(entry, { change: 'reopen' })}>
              {t('reopen')}
            </Button>
          )}
        </div>
      ) : (
        <RowButtons entry={entry} isBusy={isBusy} onChange={onChange} onOpen={onOpen} />
      )}
      {entry.note && (
        <Text size="sm" className={classes.message} c="dimmed">
          {t('note', { note: entry.note })}
        </Text>
      )}
      {conflict && (
        <div className={classes.message}>
          <ConflictText conflict={conflict} />
        </div>
      )}
    </li>
  );
}

/** The page of the thing that the entry is about, if it has one. */
function PageLink({ entry: { subject, account, facts } }: { entry: InboxEntry }) {
  const { t } = useTranslation('inbox');
  const look = { size: 'sm', underline: 'always', style: { flexShrink: 0 } } as const; // a link beside text, never cut off
  const shipmentId = subject.type === 'shipment' ? subject.id : facts.shipmentId;
  if (typeof shipmentId === 'string') {
    return (
      <AnchorLink to="/shipments/$id" params={{ id: shipmentId }} {...look}>
        {t('openPage')}
      </AnchorLink>
    );
  }
  if (subject.type === 'driver') {
    return (
      <AnchorLink to="/drivers/$id" params={{ id: subject.id }} {...look}>
        {t('openPage')}
      </AnchorLink>
    );
  }
  return account ? (
    <AnchorLink to="/merchants/$id" params={{ id: account.id }} {...look}>
      {t('openPage')}
    </AnchorLink>
  ) : null;
}

function Taker({ entry: { takenBy, state, snoozedUntil } }: { entry: InboxEntry }) {
  const { t } = useTranslation('inbox');
  const ownId = useSession().staff.id;
  if (state === 'snoozed' && snoozedUntil) {
    return (
      <Text size="sm" className={classes.who} truncate>
        <GoneText entry={{ state, snoozedUntil }} />
      </Text>
    );
  }
  if (!takenBy) return <span className={classes.who} />;
  return (
    <Text size="sm" fw={takenBy.id === ownId ? 600 : 400} className={classes.who} truncate title={takenBy.name}>
      {takenBy.id === ownId ? t('takenByYou') : t('takenBy', { name: takenBy.name })}
    </Text>
  );
}
