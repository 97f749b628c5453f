import type { FiguresBy } from '@navette/contract';
import { FIGURES_BY } from '@navette/contract/console-figure-kinds';
import { MEASURES, type Measure } from './measures.ts';

/** The search parameters of the page. Without dates it shows today. */
export interface FiguresFilter {
  from?: string;
  to?: string;
  by?: FiguresBy;
  measure?: Measure;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const isDate = (value: unknown): value is string => typeof value === 'string' && DATE.test(value);

export function readFiguresFilter({ from, to, by, measure }: Record<string, unknown>): FiguresFilter {
  const [knownBy, knownMeasure] = [FIGURES_BY.find((one) => one === by), MEASURES.find((one) => one === measure)];
  return {
    ...(isDate(from) ? { from } : {}),
    ...(isDate(from) && isDate(to) && to >= from ? { to } : {}),
    ...(knownBy ? { by: knownBy } : {}),
    ...(knownMeasure ? { measure: knownMeasure } : {}),
  };
}
