import { Drawer, Modal } from '@mantine/core';
import { useReturnFocus } from '@navette/ui/parts/use-return-focus.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  title: string;
  /** It has a list and opens at the side. */
  isWide: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The dialog of an act. */
export function ActFrame({ title, isWide, onClose, children }: Props) {
  const { t } = useTranslation();
  useReturnFocus();
  const frame = { opened: true, onClose, title, closeButtonProps: { 'aria-label': t('close') }, returnFocus: false };
  return isWide ? (
    <Drawer {...frame} position="right" size={520}>
      {children}
    </Drawer>
  ) : (
    <Modal {...frame} size="lg">
      {children}
    </Modal>
  );
}
