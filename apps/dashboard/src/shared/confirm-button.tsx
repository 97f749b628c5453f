import { Button, type ButtonProps, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Props extends ButtonProps {
  /** The question, as the title of the dialog. */
  title: string;
  /** What follows from a yes. */
  text: ReactNode;
  /** The verb of the yes: "Revoke", never "OK". */
  confirm: string;
  onConfirm: () => void;
}

/** A button that asks before it does what cannot be undone. */
export function ConfirmButton({ title, text, confirm, onConfirm, ...button }: Props) {
  const { t } = useTranslation();
  const ask = () =>
    modals.openConfirmModal({
      title,
      children: typeof text === 'string' ? <Text size="sm">{text}</Text> : text,
      labels: { confirm, cancel: t('cancel') },
      confirmProps: { color: 'red' },
      closeButtonProps: { 'aria-label': t('close') },
      onConfirm,
    });
  return <Button variant="default" {...button} onClick={ask} />;
}
