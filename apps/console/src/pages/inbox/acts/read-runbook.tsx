import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '@navette/ui/parts/copy-button.tsx';
import { useTranslation } from 'react-i18next';
import { useDescribeEntry } from '../use-describe-entry.ts';
import type { EntryActProps } from './entry-act-props.ts';

const COMMANDS = { audit_finding: 'npx navette audit', retention_late: 'npx navette audit' } as const;

/** Instructions for the administrator of the service: a command, and the page of the documentation. */
export function ReadRunbook({ entry, onDone }: EntryActProps) {
  const { t } = useTranslation('acts');
  const describe = useDescribeEntry();
  const kind = entry.kind === 'retention_late' ? 'retention_late' : 'audit_finding';
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {describe(entry).why}
      </Text>
      <Text size="sm">{t(`runbook.${kind}`)}</Text>
      <Group gap="xs" wrap="nowrap">
        <Code>{COMMANDS[kind]}</Code>
        <CopyButton value={COMMANDS[kind]} what={t('runbook.command')} />
      </Group>
      <Button data-autofocus variant="default" onClick={onDone}>
        {t('understood')}
      </Button>
    </Stack>
  );
}
