import type { TSchema } from 'typebox';

/** What every endpoint of every table says: the merchant's, the driver's and the dashboard's. */
export interface EndpointShape {
  section: string;
  summary: string;
  description?: string;
  params?: TSchema;
  query?: TSchema;
  headers?: TSchema;
  body?: TSchema;
  /** Answers of success by status; the schema is the whitelist of what leaves. */
  answers: Record<number, TSchema>;
  /** An unknown id or reference, or somebody else's, answers 404. */
  findsOne?: true;
  bodyLimit?: number;
}
