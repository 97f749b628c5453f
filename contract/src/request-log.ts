import Type from 'typebox';
import { Id, Instant, Nullable } from './schema-kit.ts';

export const STATUS_CLASSES = ['2xx', '3xx', '4xx', '5xx'] as const;

/** A request to the public API in the log: ids, names of the contract and figures, no value that a client sent. */
export const requestFields = {
  at: Instant({ description: 'When the request arrived.' }),
  requestId: Type.String({ description: 'The X-Request-Id of the response.' }),
  method: Type.String({ description: 'HTTP method.' }),
  route: Type.String({ description: 'Pattern of the path, without the base path.', examples: ['/shipping/:id'] }),
  id: Nullable(Id('The `:id` of the path, or the shipment that was created')),
  status: Type.Integer({ description: 'HTTP status of the response.' }),
  error: Nullable(Type.String({ description: 'The slug; null when the response had none.' })),
  fields: Type.Array(Type.String(), { description: 'Refused fields, at most five.' }),
  durationMs: Type.Number({ description: 'How long the response took, in milliseconds.' }),
};
