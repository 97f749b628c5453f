import { ActionIcon, CopyButton as Copy, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** Copies a value to the clipboard. `what` completes the accessible name "Copy …". */
export function CopyButton({ value, what }: { value: string; what: string }) {
  const { t } = useTranslation();
  return (
    <Copy value={value} timeout={2_000}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('copied') : t('copy')} withArrow>
          <ActionIcon variant="default" onClick={copy} aria-label={copied ? t('copied') : t('copyWhat', { what })}>
            {copied ? <IconCheck size={16} color="var(--mantine-color-green-text)" /> : <IconCopy size={16} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  );
}
