import { DRIVER_BASE_PATH, DRIVER_ENDPOINTS, DRIVER_SOCKET_PATH, type DriverEndpoint } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { Server, type Socket } from 'socket.io';
import { type ChannelAdapter, roomOf } from './driver-channel-adapter.ts';
import type { DriverSessions } from './driver-door.ts';
import { refusal } from './refusal.ts';
import { overSocket } from './spoken-channel.ts';

const FORGET_AFTER_MS = 2 * 60_000; // a tunnel, a lift: what was said meanwhile is said again
const SWEEP_MS = 400; // a socket whose session was closed is closed within a second
const MOST_BYTES = 64 * 1024; // of one command; none needs a hundredth of it

const COMMANDS = new Map(Object.entries<DriverEndpoint>(DRIVER_ENDPOINTS).filter(([, endpoint]) => !endpoint.open));

/** What is no text, or half of a character, names nothing: it is answered as an unknown id is. */
const inPath = (value: unknown): string => encodeURIComponent(typeof value === 'string' ? value.toWellFormed() : '-');

export interface DriverChannel {
  /** Sockets that are open in this process. */
  connected(): number;
}

/**
 * The driver app's socket. A command that comes in is put through the door that HTTP uses, inside the process: the same
 * token, limit, schema, use case, whitelist and log line, and nothing can be done here that could not be done there.
 */
export function serveDriverChannel(
  app: FastifyInstance,
  sessions: DriverSessions,
  between: ChannelAdapter,
): DriverChannel {
  const io = new Server(app.server, {
    path: DRIVER_SOCKET_PATH,
    serveClient: false,
    maxHttpBufferSize: MOST_BYTES,
    adapter: between.adapter,
    // Who comes back passes the middleware again: a session may have been closed meanwhile.
    connectionStateRecovery: { maxDisconnectionDuration: FORGET_AFTER_MS, skipMiddlewares: false },
  });

  io.use((socket, next) => void answerKnock(socket, next));
  io.on('connection', (socket) => {
    socket.onAny((name: string, ...args: unknown[]) => void obey(socket, name, args));
  });

  let sweeping = false;
  const sweep = setInterval(() => {
    if (sweeping) return;
    sweeping = true;
    void closeRevoked()
      .catch(() => {}) // PostgreSQL is away: the next one will tell
      .finally(() => {
        sweeping = false;
      });
  }, SWEEP_MS).unref();

  app.addHook('preClose', async () => {
    clearInterval(sweep);
    io.local.disconnectSockets(true);
    await io.of('/').adapter.close();
    io.engine.close();
    between.close();
  });
  return { connected: () => io.of('/').sockets.size };

  async function answerKnock(socket: Socket, next: (error?: Error) => void): Promise<void> {
    const refusal = await admit(socket).catch(() => ({ status: 500, success: false }));
    next(refusal ? Object.assign(new Error('refused'), { data: refusal }) : undefined);
  }

  /** Null when the driver may come in, else what HTTP would have answered. */
  async function admit(socket: Socket): Promise<object | null> {
    const { status, body } = await say(socket, 'readSession', {});
    if (status !== 200) return { status, ...body };
    const { id } = body.driver as { id: string };
    if (socket.recovered && socket.data.driverId !== id) return { status: 401, success: false };
    socket.data = { driverId: id }; // kept in Redis for a while, so never the token
    await socket.join(roomOf(id));
    return null;
  }

  async function obey(socket: Socket, name: string, args: unknown[]): Promise<void> {
    const acknowledge = args.at(-1);
    const payload = typeof args[0] === 'object' && args[0] !== null ? (args[0] as Record<string, unknown>) : {};
    const answer = await say(socket, name, payload).catch(notAnswered); // a promise left alone would end the process
    if (typeof acknowledge === 'function') acknowledge(answer);
    if (answer.status === 401 || (name === 'closeSession' && answer.status === 200)) socket.disconnect(true);
  }

  function notAnswered(error: unknown) {
    app.log.error({ err: error }, 'a command over the socket failed');
    return { status: 500, body: refusal('INTERNAL_ERROR').envelope };
  }

  async function say(socket: Socket, name: string, payload: Record<string, unknown>) {
    const endpoint = COMMANDS.get(name);
    const path = endpoint?.path.replaceAll(/:(\w+)/g, (_, field: string) => inPath(payload[field]));
    const { token } = socket.handshake.auth as { token?: unknown };
    const forwarded = socket.handshake.headers['x-forwarded-for'];
    const response = await overSocket(() =>
      app.inject({
        method: endpoint?.method ?? 'GET',
        url: `${DRIVER_BASE_PATH}${path ?? '/unknown-command'}`,
        remoteAddress: socket.handshake.address,
        headers: {
          ...(typeof token === 'string' && /^[\x21-\x7e]{1,200}$/.test(token)
            ? { authorization: `Bearer ${token}` }
            : {}),
          ...(forwarded ? { 'x-forwarded-for': forwarded } : {}),
          ...(endpoint?.body ? { 'content-type': 'application/json' } : {}),
        },
        ...(endpoint?.body ? { payload: JSON.stringify(payload) } : {}),
      }),
    );
    return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
  }

  async function closeRevoked(): Promise<void> {
    const sockets = [...io.of('/').sockets.values()];
    if (sockets.length === 0) return;
    const tokens = sockets.map((socket) => String((socket.handshake.auth as { token?: unknown }).token));
    const closed = await sessions.closedAmong(tokens);
    for (const [i, socket] of sockets.entries()) if (closed.has(tokens[i] ?? '')) socket.disconnect(true);
  }
}
