import Type, { type Static } from 'typebox';
import { REQUEST_LOG } from '../limits.ts';
import { requestFields, STATUS_CLASSES } from '../request-log.ts';
import { Closed, Nullable, OneOf, Success } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

const LoggedRequest = Closed(
  {
    ...requestFields,
    keyName: Nullable(Type.String()),
    keyHint: Nullable(Type.String()),
  },
  { title: 'LoggedRequest' },
);
export type LoggedRequest = Static<typeof LoggedRequest>;

export const requestEndpoints = defineEndpoints({
  listRequests: {
    section: 'Requests',
    summary: 'List requests to the public API with this account’s keys, newest first',
    description: `The latest ${REQUEST_LOG.most} requests of the last ${REQUEST_LOG.days} days, without bodies. Entries may be lost: the log is for debugging, not evidence.`,
    query: Type.Object({
      status: Type.Optional(OneOf(STATUS_CLASSES)),
      method: Type.Optional(OneOf(METHODS)),
      search: Type.Optional(Type.String({ maxLength: 64, description: 'The beginning of a request id.' })),
      cursor: Type.Optional(Type.String({ maxLength: 40 })),
    }),
    answers: {
      200: Closed({
        success: Success,
        requests: Type.Array(LoggedRequest),
        nextCursor: Nullable(Type.String()),
        isAvailable: Type.Boolean({ description: 'False while the log cannot be read.' }),
      }),
    },
    needs: 'develop',
  },
});
