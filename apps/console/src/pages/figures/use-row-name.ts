import type { FigureRow, FiguresBy } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { useTranslation } from 'react-i18next';

/** The name of a row in words: a day, an hour, a postal code with its town, a merchant, a driver. */
export function useRowName(): (by: FiguresBy, row: Pick<FigureRow, 'key' | 'name'>) => string {
  const { t } = useTranslation('figures');
  const format = useFormat();
  return (by, { key, name }) => {
    if (by === 'day') return format.dayOfSlot(key);
    if (by === 'hour') return t('hour', { hour: key });
    if (by === 'zone') return [key || t('noZone'), name].filter(Boolean).join(' ');
    return name ?? t('unknown');
  };
}
