import Type, { type Static } from 'typebox';
import { Closed, Nullable, Success } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';

export const FirstSteps = Closed(
  {
    keyMade: Type.Boolean(),
    keyUsed: Type.Boolean({ description: 'A key of the account opened the door of the public API.' }),
    shipmentCreated: Type.Boolean(),
    webhookHeard: Type.Boolean({ description: 'An endpoint answered one of its latest deliveries with 2xx.' }),
  },
  { title: 'FirstSteps' },
);
export type FirstSteps = Static<typeof FirstSteps>;

export const startEndpoints = defineEndpoints({
  readStart: {
    section: 'Start',
    summary: 'What a first call needs, and which first steps are done',
    answers: {
      200: Closed({
        success: Success,
        clientId: Type.String(),
        baseUrl: Type.String({ examples: ['https://api.example.org/pro/api/v1'] }),
        slot: Nullable(Type.String({ description: 'Label of the account’s first time slot.' })),
        steps: FirstSteps,
      }),
    },
    needs: 'develop',
  },
});
