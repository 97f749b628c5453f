import { Button, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useDescribeEntry } from '../use-describe-entry.ts';
import type { EntryActProps } from './entry-act-props.ts';

/** An act outside of the console: a call without a stored number. */
export function AskMerchant({ entry, onDone }: EntryActProps) {
  const { t } = useTranslation('acts');
  const describe = useDescribeEntry();
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {describe(entry).why}
      </Text>
      <Text size="sm">{t('outside.noNumber')}</Text>
      <Button data-autofocus variant="default" onClick={onDone}>
        {t('understood')}
      </Button>
    </Stack>
  );
}
