import { Alert, Button, Modal, Stack } from '@mantine/core';
import { useReturnFocus } from '@navette/ui/parts/use-return-focus.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../../shared/code-block.tsx';

/**
 * Shows the key until the member confirms that it is saved. Neither Escape nor a click outside closes the dialog, nor
 * does an accidental Enter, since the focus is on the key.
 */
export function KeyShownOnce({ secret, onSaved }: { secret: string; onSaved: () => void }) {
  const { t } = useTranslation('developers');
  useReturnFocus();
  return (
    <Modal
      opened
      onClose={onSaved}
      title={t('keys.shownTitle')}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" icon={<IconAlertTriangle />}>
          {t('keys.shownText')}
        </Alert>
        <CodeBlock code={secret} what={t('keys.theKey')} wraps />
        <Button onClick={onSaved}>{t('keys.saved')}</Button>
      </Stack>
    </Modal>
  );
}
