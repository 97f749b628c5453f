import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { useTranslation } from 'react-i18next';
import { elapsedSince } from './elapsed.ts';

/** How long an entry has waited; the time itself as a tooltip. */
export function Elapsed({ since, now }: { since: string; now: string }) {
  const { t } = useTranslation('inbox');
  const format = useFormat();
  const { unit, count, minutes } = elapsedSince(since, now);
  return (
    <time dateTime={since} title={format.dateTime(since)}>
      {t(`elapsed.${unit}`, { count, minutes })}
    </time>
  );
}
