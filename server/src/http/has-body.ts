import type { IncomingHttpHeaders } from 'node:http';

/** True when a body follows the headers: the request is complete some time after authentication. */
export const hasBody = ({ headers }: { headers: IncomingHttpHeaders }): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
