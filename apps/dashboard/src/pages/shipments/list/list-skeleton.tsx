import { Skeleton, Stack } from '@mantine/core';

const ROWS = Array.from({ length: 10 }, (_, row) => `row ${row}`);

export function ListSkeleton({ cards }: { cards: boolean }) {
  return (
    <Stack gap={cards ? 'sm' : 12} aria-busy="true">
      {ROWS.map((row) => (
        <Skeleton key={row} h={cards ? 132 : 52} />
      ))}
    </Stack>
  );
}
