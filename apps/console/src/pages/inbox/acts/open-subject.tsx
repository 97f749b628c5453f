import { Stack, Text } from '@mantine/core';
import { ButtonLink } from '@navette/ui/parts/links.tsx';
import { useTranslation } from 'react-i18next';
import { useDescribeEntry } from '../use-describe-entry.ts';
import type { EntryActProps } from './entry-act-props.ts';

/** An act on the page of a merchant or driver: says what to do there, and leads to it. */
export function OpenSubject({ entry, onDone }: EntryActProps) {
  const { t } = useTranslation('acts');
  const describe = useDescribeEntry();
  const { type, id } = entry.subject;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {describe(entry).why}
      </Text>
      <Text size="sm">{t(type === 'driver' ? 'outside.documents' : 'outside.settings')}</Text>
      <ButtonLink
        to={type === 'driver' ? '/drivers/$id' : '/merchants/$id'}
        params={{ id }}
        data-autofocus
        onClick={onDone}
      >
        {t('outside.openPage')}
      </ButtonLink>
    </Stack>
  );
}
