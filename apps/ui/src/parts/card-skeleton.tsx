import { Box, Paper, Skeleton, Stack } from '@mantine/core';

const LINE = 34; // with its distance to the next one
const FRAME = 84; // padding and title of a card
const WIDTHS = ['92%', '74%', '84%', '61%'];

/** Content of a card or dialog that is on its way: lines instead of one grey area. `h` is its height. */
export function LinesSkeleton({ h }: { h: number }) {
  return (
    <Box h={h}>
      <Stack gap={LINE - 12} pt={4}>
        {Array.from({ length: Math.max(1, Math.floor(h / LINE)) }, (_, line) => (
          <Skeleton key={WIDTHS[line] ?? line} h={12} w={WIDTHS[line % WIDTHS.length]} />
        ))}
      </Stack>
    </Box>
  );
}

/** A card that is on its way. `h` is its height. */
export function CardSkeleton({ h }: { h: number }) {
  return (
    <Paper withBorder p="lg" h={h}>
      <Skeleton h={18} w="32%" mb="lg" />
      <LinesSkeleton h={h - FRAME} />
    </Paper>
  );
}
