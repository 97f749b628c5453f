import { Text } from '@mantine/core';
import type { InboxEntry } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { useTranslation } from 'react-i18next';

/** Why an entry is no longer in the list. */
export function GoneText({ entry }: { entry: Pick<InboxEntry, 'state' | 'snoozedUntil'> }) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  if (entry.state === 'resolved') return <Text size="sm">{t('gone.resolved')}</Text>;
  if (entry.state === 'snoozed' && entry.snoozedUntil) {
    return <Text size="sm">{t('gone.snoozed', { until: format.dayTime(entry.snoozedUntil) })}</Text>;
  }
  return (
    <Text size="sm" fw={600}>
      {t('gone.over')}
    </Text>
  );
}
