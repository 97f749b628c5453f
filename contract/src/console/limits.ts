/** Shipments that one request assigns. */
export const MOST_ASSIGNED_AT_ONCE = 50;

/** Rows of the dispatch board in one response. */
export const MOST_BOARD_ROWS = 500;

/** Entries of the inbox in one response, unless fewer or more are asked for. */
export const INBOX_PAGE = 30;
export const MOST_INBOX_ENTRIES = 500;

/** Euros of one credit. */
export const MOST_CREDITED = 100_000;

/** A driver's paper that expires within these days needs attention: a licence or an insurance takes weeks to renew. */
export const DOCUMENT_WARNING_DAYS = 30;
