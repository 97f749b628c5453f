import { Grid, Skeleton, Stack } from '@mantine/core';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';

export function DetailSkeleton() {
  return (
    <>
      <Skeleton h={22} w={160} mb="sm" />
      <Skeleton h={38} w="50%" mb="xl" />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <CardSkeleton h={260} />
            <CardSkeleton h={190} />
            <CardSkeleton h={220} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <CardSkeleton h={560} />
        </Grid.Col>
      </Grid>
    </>
  );
}
