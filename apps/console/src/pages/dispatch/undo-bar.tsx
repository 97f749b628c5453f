import { Button, Kbd, Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import classes from './dispatch.module.css';
import type { Undo } from './use-undo.ts';

/** Says what was assigned, and undoes it while that is possible. */
export function UndoBar({ undo: { undoable, secondsLeft, isUndoing, undo } }: { undo: Undo }) {
  const { t } = useTranslation('dispatch');
  return (
    <div className={classes.undo} role="status">
      {undoable && (
        <Paper withBorder shadow="md" className={classes.undoBar}>
          <Text size="sm">{t('undo.assigned', { count: undoable.count, driver: undoable.driver })}</Text>
          <Button size="compact-md" variant="light" loading={isUndoing} onClick={undo} rightSection={<Kbd>z</Kbd>}>
            {t('undo.button')}
          </Button>
          <Text size="sm" c="dimmed" className={classes.seconds} aria-hidden>
            {t('undo.seconds', { count: secondsLeft })}
          </Text>
        </Paper>
      )}
    </div>
  );
}
