import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface Props {
  icon: TablerIcon;
  title: string;
  /** What would be here, and how it gets here. */
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
