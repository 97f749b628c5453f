import { Grid, Skeleton, Stack } from '@mantine/core';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';

export function FormSkeleton() {
  return (
    <Grid gap="lg">
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Stack gap="lg">
          <Skeleton h={68} w={320} />
          <CardSkeleton h={380} />
          <CardSkeleton h={150} />
          <CardSkeleton h={150} />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <CardSkeleton h={300} />
      </Grid.Col>
    </Grid>
  );
}
