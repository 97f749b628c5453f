import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFrame } from '../../acts/act-frame.tsx';

interface Props {
  /** Title of the dialog. */
  title: string;
  /** The form, which gets the function that closes the dialog. */
  children: (close: () => void) => ReactNode;
  label?: string;
  isRed?: boolean;
}

/** A small button beside the title of a card or line, with the dialog that it opens. */
export function EditButton({ title, children, label, isRed }: Props) {
  const { t } = useTranslation('merchant');
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button
        size="compact-sm"
        variant={isRed ? 'light' : 'default'}
        {...(isRed ? { color: 'red' } : {})}
        style={{ flexShrink: 0 }}
        onClick={() => setIsOpen(true)}
      >
        {label ?? t('edit.open')}
      </Button>
      {isOpen && (
        <ActFrame title={title} isWide={false} onClose={close}>
          {children(close)}
        </ActFrame>
      )}
    </>
  );
}
