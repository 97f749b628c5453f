/** The stream of one account's requests in Redis. */
export const logKeyOf = (prefix: string, accountId: string) => `${prefix}requests:${accountId}`;
