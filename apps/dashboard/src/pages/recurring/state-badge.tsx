import { Badge } from '@mantine/core';
import type { OccurrenceState, RecurringState } from '@navette/contract';
import { useTranslation } from 'react-i18next';

const COLOURS: Record<RecurringState, string> = { active: 'green', paused: 'orange', ended: 'gray' };

export function RecurringBadge({ state }: { state: RecurringState }) {
  const { t } = useTranslation('recurring');
  return (
    <Badge variant="light" color={COLOURS[state]} tt="none" style={{ flexShrink: 0 }}>
      {t(`states.${state}`)}
    </Badge>
  );
}

const OCCURRENCE_COLOURS: Record<OccurrenceState, string> = {
  planned: 'gray',
  created: 'green',
  skipped: 'gray',
  refused: 'orange',
  missed: 'red',
};

export function OccurrenceBadge({ state }: { state: OccurrenceState }) {
  const { t } = useTranslation('recurring');
  return (
    <Badge
      variant={state === 'planned' || state === 'skipped' ? 'outline' : 'light'}
      color={OCCURRENCE_COLOURS[state]}
      tt="none"
      style={{ flexShrink: 0 }}
    >
      {t(`occurrences.${state}`)}
    </Badge>
  );
}
