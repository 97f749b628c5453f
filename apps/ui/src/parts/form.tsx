import { Stack } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';

/** A form with its fields stacked. */
export function Form({ onSubmit, children }: { onSubmit: ComponentProps<'form'>['onSubmit']; children: ReactNode }) {
  return (
    <form onSubmit={onSubmit}>
      <Stack>{children}</Stack>
    </form>
  );
}
