import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

const EARLIEST = '2000-01-01';

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  value: string;
  /** With a whole date, or an empty text when the field was emptied. */
  onDay: (day: string) => void;
}

/** A day. While its year is typed, browsers report dates such as 0002-05-04: these are kept in the field. */
export function DayField({ value, onDay, ...props }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      {...props}
      type="date"
      value={typed ?? value}
      onBlur={() => setTyped(null)}
      onChange={(event) => {
        const day = event.currentTarget.value;
        setTyped(day);
        if (day === '' || day >= EARLIEST) onDay(day);
      }}
    />
  );
}
