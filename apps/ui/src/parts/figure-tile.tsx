import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** One key figure: its name, its value, and what it is made of. */
export function FigureTile({ label, value, note }: { label: string; value: ReactNode; note: ReactNode }) {
  return (
    <Paper withBorder p={{ base: 'sm', sm: 'md' }}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={{ base: 22, sm: 26 }} fw={650} lh={1.3}>
        {value}
      </Text>
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </Paper>
  );
}
