import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShipmentLine } from '../shipments-queries.ts';
import { CancelRows } from './cancel-rows.tsx';

/** The server cancels them one by one; more would keep the member waiting. */
const MOST = 100;

interface Props {
  lines: readonly ShipmentLine[];
  onToggle: (opened: boolean) => void;
}

/** Cancels the selected shipments, and shows the outcome of each. */
export function CancelSelection({ lines, onToggle }: Props) {
  const { t } = useTranslation('shipments');
  const [opened, dialog] = useDisclosure();
  const [chosen, setChosen] = useState<readonly ShipmentLine[]>([]);
  const open = () => {
    setChosen(lines); // the list changes while they are cancelled
    onToggle(true);
    dialog.open();
  };
  const close = () => {
    dialog.close();
    setTimeout(() => onToggle(false)); // once the key that closed it has been handled
  };
  return (
    <>
      <Button
        size="xs"
        variant="light"
        color="red"
        onClick={open}
        disabled={lines.length > MOST}
        title={lines.length > MOST ? t('cancelTooMany', { max: MOST }) : undefined}
      >
        {t('cancelSelection')}
      </Button>
      <Modal
        opened={opened}
        onClose={close}
        size="lg"
        title={t('cancelCount', { count: chosen.length })}
        closeButtonProps={{ 'aria-label': t('cancelClose') }}
      >
        <CancelRows lines={chosen} onClose={close} />
      </Modal>
    </>
  );
}
