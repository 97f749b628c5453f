import { Grid, Skeleton, Stack } from '@mantine/core';

export function DetailSkeleton() {
  return (
    <>
      <Skeleton h={22} w={160} mb="sm" />
      <Skeleton h={38} w="50%" mb="xl" />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Skeleton h={260} />
            <Skeleton h={190} />
            <Skeleton h={220} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Skeleton h={560} />
        </Grid.Col>
      </Grid>
    </>
  );
}
