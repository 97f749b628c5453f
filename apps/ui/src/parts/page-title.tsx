import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { TabTitle } from '../frame/app-identity.tsx';

interface Props {
  title: string;
  text?: ReactNode;
  /** Action buttons of the page. */
  children?: ReactNode;
}

/** The page header: its only h1, the title of the browser tab, and the main actions. */
export function PageTitle({ title, text, children }: Props) {
  return (
    <Group justify="space-between" align="flex-start" mb="lg" gap="md">
      <TabTitle title={title} />
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
