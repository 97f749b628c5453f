import { Badge, Group, Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

interface Props {
  n: number;
  name: 'key' | 'test' | 'shipment' | 'webhook';
  isDone: boolean;
  /** How to run the example. */
  hint?: string;
  children: ReactNode;
}

export function Step({ n, name, isDone, hint, children }: Props) {
  const { t } = useTranslation('developers');
  return (
    <Paper component="li" withBorder p="md" data-step={name} data-done={isDone}>
      <Group align="flex-start" gap="md" wrap="nowrap">
        <ThemeIcon radius="xl" size={32} color={isDone ? 'green' : 'gray'} variant={isDone ? 'filled' : 'light'}>
          {isDone ? <IconCheck size={18} /> : n}
        </ThemeIcon>
        <Stack gap="sm" style={{ flex: 1, minWidth: 0 }}>
          <Group gap="sm">
            <Title order={2} size="h4">
              {t(`start.${name}.title`)}
            </Title>
            <Badge variant="light" color={isDone ? 'green' : 'gray'} tt="none">
              {t(isDone ? 'start.done' : 'start.toDo')}
            </Badge>
          </Group>
          <Text c="dimmed" size="sm">
            {t(`start.${name}.text`)}
          </Text>
          {hint && <Text size="sm">{hint}</Text>}
          {children}
        </Stack>
      </Group>
    </Paper>
  );
}
