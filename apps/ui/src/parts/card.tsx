import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  text?: ReactNode;
  /** A badge or an action beside the title. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A section of a page with its heading. */
export function Card({ title, text, aside, children }: Props) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="md">
        <Stack gap={4} maw={640}>
          <Title order={2} size="h5">
            {title}
          </Title>
          {text && (
            <Text c="dimmed" size="sm">
              {text}
            </Text>
          )}
        </Stack>
        {aside}
      </Group>
      {children}
    </Paper>
  );
}
