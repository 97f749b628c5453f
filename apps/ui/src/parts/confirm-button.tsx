import { Button, type ButtonProps, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Props extends ButtonProps {
  /** Title of the dialog: a question. */
  title: string;
  /** Consequences of confirming. */
  text: ReactNode;
  /** Label of the confirm button, a verb: "Revoke", never "OK". */
  confirm: string;
  onConfirm: () => void;
}

/** A button that asks for confirmation before an irreversible action. */
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
