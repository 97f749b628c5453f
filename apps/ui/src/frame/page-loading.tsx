import { Skeleton, Stack } from '@mantine/core';
import { CardSkeleton } from '../parts/card-skeleton.tsx';

/** Placeholder while the code of a page loads. */
export function PageLoading() {
  return (
    <Stack gap="lg" aria-busy="true" mih="80vh">
      <Skeleton h={34} w="40%" />
      <CardSkeleton h={180} />
      <CardSkeleton h={320} />
    </Stack>
  );
}
