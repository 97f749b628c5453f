import Type, { type Static } from 'typebox';
import { Closed, Nullable, Success } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';

export const FirstSteps = Closed(
  {
    keyMade: Type.Boolean(),
    keyUsed: Type.Boolean({ description: 'A key of the account was used for the public API.' }),
    shipmentCreated: Type.Boolean(),
    webhookHeard: Type.Boolean({ description: 'An endpoint returned 2xx for one of the latest deliveries.' }),
  },
  { title: 'FirstSteps' },
);
export type FirstSteps = Static<typeof FirstSteps>;

export const startEndpoints = defineEndpoints({
  readStart: {
    section: 'Start',
    summary: 'Read the data for a first request, and the completed first steps',
    answers: {
      200: Closed({
        success: Success,
        clientId: Type.String(),
        baseUrl: Type.String({ examples: ['https://api.example.org/pro/api/v1'] }),
        slot: Nullable(Type.String({ description: 'The label of the account’s first time slot.' })),
        steps: FirstSteps,
      }),
    },
    needs: 'develop',
  },
});
