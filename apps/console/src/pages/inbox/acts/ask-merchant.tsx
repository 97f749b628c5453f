import { Button, Stack, Text } from '@mantine/core';
import { INBOX_KINDS } from '@navette/contract/console-inbox-kinds';
import { useTranslation } from 'react-i18next';
import { useDescribeEntry } from '../use-describe-entry.ts';
import type { EntryActProps } from './entry-act-props.ts';

/** An act outside of the console: settings of an account, or a call without a stored number. */
export function AskMerchant({ entry, onDone }: EntryActProps) {
  const { t } = useTranslation('acts');
  const describe = useDescribeEntry();
  const { act } = INBOX_KINDS[entry.kind];
  const text = act === 'open_account' ? t('outside.settings') : t('outside.noNumber');
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {describe(entry).why}
      </Text>
      <Text size="sm">{text}</Text>
      <Button data-autofocus variant="default" onClick={onDone}>
        {t('understood')}
      </Button>
    </Stack>
  );
}
