import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  label?: string;
  hint?: string;
  isRequired?: boolean;
  /** Has the focus when its dialog opens. */
  isFirst?: boolean;
  value: string;
  onChange: (reason: string) => void;
}

/** Why a person acts: kept in the log of acts. */
export function ReasonField({ label, hint, isRequired = true, isFirst = false, value, onChange }: Props) {
  const { t } = useTranslation('acts');
  return (
    <Textarea
      label={label ?? t('reason')}
      description={hint}
      required={isRequired}
      maxLength={500}
      minRows={2}
      autosize
      {...(isFirst ? { 'data-autofocus': true } : {})}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
