import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useMay } from '../../../session/session.ts';
import { accountQuery } from '../../account/account-query.ts';

// Most accounts are not blocked, so the list does not load it.
const CreationBlocks = lazy(async () => ({ default: (await import('../new/creation-blocks.tsx')).CreationBlocks }));

/** Above the list, for those who create shipments: why the account cannot create any now, and the remedy. */
export function BlockedNotice() {
  const mayShip = useMay()('ship');
  const { data } = useQuery({ ...accountQuery, enabled: mayShip });
  if (!data || data.blocks.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <Box mb="md">
        <CreationBlocks blocks={data.blocks} />
      </Box>
    </Suspense>
  );
}
