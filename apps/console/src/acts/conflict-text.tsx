import { Alert } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { IconUserExclamation } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useActName } from '../pages/log/use-act-name.ts';
import type { Conflict } from './conflict.ts';

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

/** Says who was first and what changed. */
export function ConflictText({ conflict: { by, at, change } }: { conflict: Conflict }) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const actName = useActName();
  const who = by ? t('conflict.by', { by }) : t('conflict.somebody');
  const when = at ? t('conflict.at', { time: format.time(at) }) : '';
  return (
    <Alert color="orange" variant="light" icon={<IconUserExclamation />} role="alert" p="xs">
      {who}
      {when}
      {change ? t('conflict.change', { change: lowerFirst(actName(change)) }) : ''} {t('conflict.next')}
    </Alert>
  );
}
