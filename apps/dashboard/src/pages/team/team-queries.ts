import type { DashboardAnswer } from '@navette/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export type Team = DashboardAnswer<'listTeam'>;
export type TeamMember = Team['members'][number];
export type Invitation = Team['invitations'][number];

export const teamQuery = queryOptions({ queryKey: ['team'], queryFn: () => call('listTeam') });

export const securityLogQuery = infiniteQueryOptions({
  queryKey: ['team', 'acts'],
  queryFn: ({ pageParam }) => call('listActs', { query: pageParam ? { cursor: pageParam } : {} }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});
