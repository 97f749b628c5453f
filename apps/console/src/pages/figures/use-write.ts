import { useFormat } from '@navette/ui/i18n/use-format.ts';
import type { Unit } from './measures.ts';

/** Writes values of each unit; a dash where nothing was measured. */
export function useWrite(): (unit: Unit, value: number | null) => string {
  const format = useFormat();
  const write: Record<Unit, (value: number) => string> = {
    share: format.percent,
    duration: format.duration,
    count: format.number,
    euros: format.money,
  };
  return (unit, value) => (value === null ? '—' : write[unit](value));
}
