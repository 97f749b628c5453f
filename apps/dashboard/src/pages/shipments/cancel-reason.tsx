import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  value: string;
  onChange: (reason: string) => void;
}

/** The reason of a cancellation, as the API asks for it. */
export function CancelReason({ value, onChange }: Props) {
  const { t } = useTranslation('shipment');
  return (
    <Textarea
      label={t('cancelReasonLabel')}
      description={t('cancelReasonHint')}
      placeholder={t('cancelReasonExample')}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      maxLength={1_000}
      required
      autosize
      minRows={2}
      data-autofocus
    />
  );
}
