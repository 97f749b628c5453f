import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';

/** A list whose entries are cards (`component="li"`): one form for a desk and for a phone. */
export function CardList({ children }: { children: ReactNode }) {
  return (
    <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
      {children}
    </Stack>
  );
}
