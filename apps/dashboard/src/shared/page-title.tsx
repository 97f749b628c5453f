import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  text?: ReactNode;
  /** What can be done on this page. */
  children?: ReactNode;
}

/** The head of a page: its one h1, the tab's title, and its main actions. */
export function PageTitle({ title, text, children }: Props) {
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="md">
      <title>{`${title} · Navette`}</title>
      <Stack gap={4} maw={680}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {text && <Text c="dimmed">{text}</Text>}
      </Stack>
      {children && <Group gap="sm">{children}</Group>}
    </Group>
  );
}
