import { Skeleton, Stack } from '@mantine/core';

/** Holds a page's place while its code is on the way. */
export function PageLoading() {
  return (
    <Stack gap="lg" aria-busy="true" mih="80vh">
      <Skeleton h={34} w="40%" />
      <Skeleton h={180} />
      <Skeleton h={320} />
    </Stack>
  );
}
