import { Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../api/call.ts';

/** Downloads the log of a period; without one, all of it. */
export function LogExport() {
  const { t } = useTranslation('log');
  const [period, setPeriod] = useState({ from: '', to: '' });
  const query = { ...(period.from ? { from: period.from } : {}), ...(period.to ? { to: period.to } : {}) };
  const field = (name: 'from' | 'to') => (
    <TextInput
      type="date"
      label={t(name)}
      value={period[name]}
      onChange={(event) => {
        const { value } = event.currentTarget;
        setPeriod((before) => ({ ...before, [name]: value }));
      }}
    />
  );
  return (
    <Popover position="bottom-end" withArrow trapFocus width={340}>
      <Popover.Target>
        <Button variant="default" leftSection={<IconDownload size={18} stroke={1.6} />}>
          {t('export.open')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="sm">
          <Text size="sm">{t('export.text')}</Text>
          <Group grow>
            {field('from')}
            {field('to')}
          </Group>
          <Group grow>
            <Button component="a" href={urlOf('exportOperatorActs', { query })} download variant="default">
              CSV
            </Button>
            <Button component="a" href={urlOf('exportOperatorActLines', { query })} download variant="default">
              JSON lines
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
