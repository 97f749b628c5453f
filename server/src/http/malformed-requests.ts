import type { Socket } from 'node:net';

export const REQUEST_TIMEOUT = 'La requête n’est pas arrivée en entier à temps.';
const ANSWERS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'Adresse et en-têtes trop longs : au plus 16 Kio en tout.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', REQUEST_TIMEOUT],
};
const UNREADABLE: [status: string, message: string] = ['400 Bad Request', 'Requête illisible : ce n’est pas du HTTP.'];

export type MalformedRequestHandler = (error: Error & { code?: string }, socket: Socket) => void;

/**
 * Answers bytes that Node cannot parse as HTTP. Fastify's hooks and handlers do not see them. The response has the
 * contract's envelope, and the connection is closed.
 */
export function createMalformedRequestHandler(commonHeaders: Record<string, string>): MalformedRequestHandler {
  const common = Object.entries(commonHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const [status, message] = ANSWERS[error.code ?? ''] ?? UNREADABLE;
    const body = Buffer.from(JSON.stringify({ success: false, message }));
    const head = `HTTP/1.1 ${status}\r\n${common.join('')}content-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), body]));
    socket.destroySoon();
  };
}
