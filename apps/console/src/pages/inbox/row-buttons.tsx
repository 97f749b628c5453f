import { ActionIcon, Button, Tooltip } from '@mantine/core';
import type { InboxEntry } from '@navette/contract';
import { neededFor } from '@navette/contract/console-inbox-kinds';
import { IconCheck, IconClockPause, IconHandGrab, IconHandOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMay, useSession } from '../../session/session.ts';
import { NextAct } from './acts/next-act.tsx';
import classes from './inbox.module.css';
import type { ChangeRow, OpenDialog } from './row-acts.ts';

interface Props {
  entry: InboxEntry;
  isBusy: boolean;
  onChange: ChangeRow;
  onOpen: (dialog: OpenDialog) => void;
}

/** The buttons of an entry; the act that ends it is the last one. */
export function RowButtons({ entry, isBusy, onChange, onOpen }: Props) {
  const { t } = useTranslation('inbox');
  const isOwn = entry.takenBy?.id === useSession().staff.id;
  if (!useMay()(neededFor(entry))) {
    return (
      <div className={classes.buttons}>
        <NextAct entry={entry} onOpen={() => {}} />
      </div>
    );
  }
  if (entry.state === 'resolved' || entry.state === 'snoozed') {
    return (
      <div className={classes.buttons}>
        <Button
          size="compact-md"
          variant="default"
          loading={isBusy}
          onClick={() => void onChange(entry, { change: 'reopen' })}
        >
          {t('reopen')}
        </Button>
      </div>
    );
  }
  return (
    <div className={classes.buttons}>
      {isOwn ? (
        <Tooltip label={t('release')} withArrow>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('release')}
            loading={isBusy}
            onClick={() => void onChange(entry, { change: 'release' })}
          >
            <IconHandOff size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Tooltip label={t(entry.takenBy ? 'takeOver' : 'take')} withArrow>
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t(entry.takenBy ? 'takeOver' : 'take')}
            loading={isBusy}
            onClick={() => void onChange(entry, { change: 'take' })}
          >
            <IconHandGrab size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label={t('snooze.button')} withArrow>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('snooze.button')}
          onClick={() => onOpen({ name: 'snooze', entry })}
        >
          <IconClockPause size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('resolve.button')} withArrow>
        <ActionIcon
          variant="default"
          size={30}
          aria-label={t('resolve.button')}
          onClick={() => onOpen({ name: 'resolve', entry })}
        >
          <IconCheck size={17} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      <NextAct entry={entry} onOpen={() => onOpen({ name: 'act', entry })} />
    </div>
  );
}
