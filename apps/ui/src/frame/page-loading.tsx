import { Skeleton, Stack } from '@mantine/core';

/** Placeholder while the code of a page loads. */
export function PageLoading() {
  return (
    <Stack gap="lg" aria-busy="true" mih="80vh">
      <Skeleton h={34} w="40%" />
      <Skeleton h={180} />
      <Skeleton h={320} />
    </Stack>
  );
}
