import { Box, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A small label above its value, inside a `dl`. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box style={{ minWidth: 0 }}>
      <Text component="dt" size="xs" c="dimmed">
        {label}
      </Text>
      <Text component="dd" size="sm" m={0}>
        {children}
      </Text>
    </Box>
  );
}
