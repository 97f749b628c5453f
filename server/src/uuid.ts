const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL would take it for an id: what it would not is unknown without asking. */
export const isUuid = (text: string): boolean => UUID.test(text);

/** The smallest UUIDv7 of an instant: they start with its milliseconds. */
export function firstIdAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
