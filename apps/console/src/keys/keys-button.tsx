import { Button } from '@mantine/core';
import { IconKeyboard } from '@tabler/icons-react';

/** Opens the list of a page's keyboard shortcuts. */
export function KeysButton({ onOpen, children }: { onOpen: () => void; children: string }) {
  return (
    <Button variant="default" leftSection={<IconKeyboard size={18} stroke={1.6} />} onClick={onOpen}>
      {children}
    </Button>
  );
}
