import { NumberInput, type NumberInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Amount } from './amount.ts';

interface Props extends Omit<NumberInputProps, 'value' | 'onChange'> {
  value?: Amount;
  onChange: (value: Amount) => void;
}

/** An amount in euros. Empty stands for none. */
export function EuroInput({ min = 0, ...props }: Props) {
  const { i18n } = useTranslation();
  return (
    <NumberInput
      min={min}
      decimalScale={2}
      decimalSeparator={i18n.language === 'fr' ? ',' : '.'}
      allowedDecimalSeparators={['.', ',']}
      suffix=" €"
      hideControls
      {...props}
    />
  );
}
