import { Alert, Button, Modal, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../../shared/code-block.tsx';

/** The key itself, until its owner says that they have it: neither Escape nor a click beside it closes this. */
export function KeyShownOnce({ secret, onSaved }: { secret: string; onSaved: () => void }) {
  const { t } = useTranslation('developers');
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
        <Button data-autofocus onClick={onSaved}>
          {t('keys.saved')}
        </Button>
      </Stack>
    </Modal>
  );
}
