const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether PostgreSQL would take it for an id: what it would not is unknown without asking. */
export const isUuid = (text: string): boolean => UUID.test(text);
