import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** A list of cards (`component="li"`), the same on desktop and phone. */
export function CardList({ children }: { children: ReactNode }) {
  return (
    <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
      {children}
    </Stack>
  );
}
