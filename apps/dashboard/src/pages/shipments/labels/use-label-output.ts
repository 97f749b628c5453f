import { useLocalStorage } from '@mantine/hooks';
import type { LabelFormat, LabelsRequest } from '@navette/contract';
import { useState } from 'react';

export interface LabelOutput {
  format: LabelFormat;
  setFormat: (format: LabelFormat) => void;
  /** Of the first label on an A4 sheet, from 1 to 4. Not remembered: the next sheet is usually a full one. */
  firstPosition: number;
  setFirstPosition: (position: number) => void;
}

/** How labels are printed. This browser remembers the format, since it belongs to the printer beside it. */
export function useLabelOutput(): LabelOutput {
  const [format, setFormat] = useLocalStorage<LabelFormat>({
    key: 'navette-label-format',
    defaultValue: 'page',
    getInitialValueInEffect: false,
  });
  const [firstPosition, setFirstPosition] = useState(1);
  return { format, setFormat, firstPosition, setFirstPosition };
}

/** The part of a request for labels that says how they are printed. */
export const requestOf = ({ format, firstPosition }: LabelOutput): Pick<LabelsRequest, 'format' | 'firstPosition'> =>
  format === 'a4' ? { format, firstPosition } : { format };
