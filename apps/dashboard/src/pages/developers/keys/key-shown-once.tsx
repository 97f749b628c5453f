import { Alert, Button, Modal, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../../shared/code-block.tsx';
import { useReturnFocus } from '../../../shared/use-return-focus.ts';

/**
 * The key itself, until its owner says that they have it: neither Escape nor a click beside it closes this, nor Enter
 * pressed once too often, since the focus is on the key.
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
        <CodeBlock code={secret} what={t('keys.theKey')} />
        <Button onClick={onSaved}>{t('keys.saved')}</Button>
      </Stack>
    </Modal>
  );
}
