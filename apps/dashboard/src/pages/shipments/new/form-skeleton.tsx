import { Grid, Skeleton, Stack } from '@mantine/core';

export function FormSkeleton() {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack gap="lg">
          <Skeleton h={68} w={320} />
          <Skeleton h={380} />
          <Skeleton h={150} />
          <Skeleton h={150} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Skeleton h={300} />
      </Grid.Col>
    </Grid>
  );
}
