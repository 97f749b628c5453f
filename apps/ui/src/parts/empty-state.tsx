import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  icon: TablerIcon;
  title: string;
  /** Describes the list while it is empty, and how to add the first entry. */
  text: string;
  /** The next step, as a button. */
  children?: ReactNode;
}

export function EmptyState({ icon: Icon, title, text, children }: Props) {
  return (
    <Stack align="center" gap="sm" py="xl" px="md" maw={480} mx="auto" ta="center" style={{ textWrap: 'balance' }}>
      <ThemeIcon variant="light" size={56} radius="xl">
        <Icon size={28} stroke={1.5} />
      </ThemeIcon>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text c="dimmed">{text}</Text>
      {children}
    </Stack>
  );
}
