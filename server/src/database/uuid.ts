const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL accepts the text as an id. Other text is an unknown id, without a query. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** Below every other id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** The smallest UUIDv7 of an instant: a UUIDv7 starts with its milliseconds. */
export function firstIdAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** When a UUIDv7 was made. */
export const instantOf = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));
