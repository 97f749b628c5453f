import type { Socket } from 'node:net';

const ANSWERS: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'Adresse et en-têtes trop longs : au plus 16 Kio en tout.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'La requête n’est pas arrivée en entier à temps.'],
};
const UNREADABLE: [status: string, message: string] = ['400 Bad Request', 'Requête illisible : ce n’est pas du HTTP.'];

/**
 * What Node cannot read as HTTP becomes no request, and no hook or handler sees it. It is answered here, in the
 * contract's envelope, and its connection ends.
 */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] = ANSWERS[error.code ?? ''] ?? UNREADABLE;
  const body = Buffer.from(JSON.stringify({ success: false, message }));
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), body]));
  socket.destroySoon();
}
