import type { ServerResponse } from 'node:http';
import {
  CONSOLE_NAMESPACE,
  DRIVER_BASE_PATH,
  DRIVER_ENDPOINTS,
  DRIVER_SOCKET_PATH,
  type DriverEndpoint,
  isSocketCommand,
} from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { type Namespace, Server, type Socket } from 'socket.io';
import { repeat } from '../concurrency/repeat.ts';
import { driverRoom, type SocketAdapter } from '../realtime/socket-adapter.ts';
import { messageOnly, type Refusal, refusal, tooMany } from '../refusals/refusal.ts';
import { runOverSocket } from './command-channel.ts';
import type { DriverSessions } from './driver-authentication.ts';
import { type Connection, limitDriverSockets } from './driver-socket-limits.ts';

const RECOVERY_MS = 2 * 60_000; // a tunnel, a lift: pushes sent meanwhile are sent again
const SWEEP_MS = 400; // a socket is closed within a second of its session
const MAX_COMMAND_BYTES = 64 * 1024; // no command needs a hundredth of it
const HANDSHAKE_MS = 10_000; // a connection that has not sent its token by then is closed

const COMMANDS = new Map(
  Object.entries<DriverEndpoint>(DRIVER_ENDPOINTS).filter(([, endpoint]) => isSocketCommand(endpoint)),
);

const answerOf = ({ status, envelope }: Refusal): Answer => ({ status, body: envelope });
const UNKNOWN_COMMAND = answerOf(messageOnly(404, 'Commande inconnue : vérifiez son nom.'));
const TOO_MANY = answerOf(tooMany('minute'));

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export interface DriverSocketServer {
  /** Number of sockets of drivers that are open in this process. */
  connected(): number;
  /** The operator's console on the same channel. console-socket.ts authenticates its sockets. */
  console: Namespace;
  /** False when a connection has tried too many handshakes; it is closed then. */
  allowHandshake(connection: Connection): boolean;
}

export interface DriverSocketOptions {
  commandsPerMinute: number;
  /** Headers of every HTTP response. */
  commonHeaders: Record<string, string>;
}

/**
 * The driver app's socket. Each command runs as a request to the HTTP route of the same name, inside the process: the
 * same authentication, limit, schema, use case, whitelist and log line, so the socket allows nothing that HTTP does not.
 * Commands over a driver's budget and unknown commands are answered here and reach no route.
 */
export function serveDriverSocket(
  app: FastifyInstance,
  sessions: DriverSessions,
  sockets: SocketAdapter,
  { commandsPerMinute, commonHeaders }: DriverSocketOptions,
): DriverSocketServer {
  const io = new Server(app.server, {
    path: DRIVER_SOCKET_PATH,
    serveClient: false,
    maxHttpBufferSize: MAX_COMMAND_BYTES,
    connectTimeout: HANDSHAKE_MS,
    ...(sockets.adapter ? { adapter: sockets.adapter } : {}),
    // A reconnecting app is authenticated again: its session may have been closed meanwhile.
    connectionStateRecovery: { maxDisconnectionDuration: RECOVERY_MS, skipMiddlewares: false },
  });
  sockets.attach?.(io);

  // Socket.IO's own HTTP responses, such as a refused handshake, do not pass the app's hooks.
  io.engine.use((_request: unknown, response: ServerResponse, next: () => void) => {
    for (const [name, value] of Object.entries(commonHeaders)) response.setHeader(name, value);
    next();
  });
  const limits = limitDriverSockets(io, commandsPerMinute, app.log);

  io.use((socket, next) => void authenticateHandshake(socket, next));
  io.on('connection', (socket) => {
    limits.closeOldest(socket.data.driverId);
    socket.onAny((name: string, ...args: unknown[]) => void handleCommand(socket, name, args));
  });
  const sweep = repeat(SWEEP_MS, () => closeRevoked(io, sessions));

  app.addHook('preClose', async () => {
    clearInterval(sweep);
    io.local.disconnectSockets(true);
    for (const namespace of [io.of('/'), io.of(CONSOLE_NAMESPACE)]) await namespace.adapter.close();
    io.engine.close();
    sockets.close();
  });
  return {
    connected: () => io.of('/').sockets.size,
    console: io.of(CONSOLE_NAMESPACE),
    allowHandshake: (connection) => limits.allowHandshake(connection),
  };

  async function authenticateHandshake(socket: Socket, next: (error?: Error) => void): Promise<void> {
    if (!limits.allowHandshake(socket.conn)) return;
    const refusal = await authenticate(socket).catch(() => ({ status: 500, success: false }));
    next(refusal ? Object.assign(new Error('refused'), { data: refusal }) : undefined);
  }

  /** Null when the token is valid, else what HTTP would have answered. */
  async function authenticate(socket: Socket): Promise<object | null> {
    const { status, body } = await callRoute(socket, 'readSession', {});
    if (status !== 200) return { status, ...body };
    const { id } = body.driver as { id: string };
    if (socket.recovered && socket.data.driverId !== id) return { status: 401, success: false };
    socket.data = { driverId: id }; // Socket.IO keeps it in Redis for a while, so never the token
    await socket.join(driverRoom(id));
    return null;
  }

  async function handleCommand(socket: Socket, name: string, args: unknown[]): Promise<void> {
    const acknowledge = args.at(-1);
    const payload = typeof args[0] === 'object' && args[0] !== null ? (args[0] as Record<string, unknown>) : {};
    const answer = await limits.run(socket, socket.data.driverId, async () =>
      COMMANDS.has(name) ? callRoute(socket, name, payload).catch(toInternalError) : UNKNOWN_COMMAND,
    );
    if (typeof acknowledge === 'function') acknowledge(answer ?? TOO_MANY);
    if (answer?.status === 401 || (name === 'closeSession' && answer?.status === 200)) socket.disconnect(true);
  }

  /** Sends the command to its HTTP route without a network round trip. */
  async function callRoute(socket: Socket, name: string, payload: Record<string, unknown>): Promise<Answer> {
    const endpoint = COMMANDS.get(name) as DriverEndpoint;
    const path = endpoint.path.replaceAll(/:(\w+)/g, (_, field: string) => pathSegment(payload[field]));
    const token = tokenOf(socket);
    const forwarded = socket.handshake.headers['x-forwarded-for'];
    const response = await runOverSocket(() =>
      app.inject({
        method: endpoint.method,
        url: `${DRIVER_BASE_PATH}${path}`,
        remoteAddress: socket.handshake.address,
        headers: {
          ...(typeof token === 'string' && /^[\x21-\x7e]{1,200}$/.test(token)
            ? { authorization: `Bearer ${token}` }
            : {}),
          ...(forwarded ? { 'x-forwarded-for': forwarded } : {}),
          ...(endpoint.body ? { 'content-type': 'application/json' } : {}),
        },
        ...(endpoint.body ? { payload: JSON.stringify(payload) } : {}),
        ...(endpoint.query ? { query: textFields(payload) } : {}),
      }),
    );
    return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
  }

  function toInternalError(error: unknown): Answer {
    app.log.error({ err: error }, 'a command over the socket failed');
    return answerOf(refusal('INTERNAL_ERROR'));
  }
}

/** A value that is no text, or holds half a character, becomes `-`, which is answered as an unknown id. */
const pathSegment = (value: unknown): string =>
  encodeURIComponent(typeof value === 'string' ? value.toWellFormed() : '-');

const textFields = (payload: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(payload).filter((field): field is [string, string] => typeof field[1] === 'string'),
  );

const tokenOf = (socket: Socket): unknown => (socket.handshake.auth as { token?: unknown }).token;

/** Disconnects sockets whose session was closed after their handshake. */
async function closeRevoked(io: Server, sessions: DriverSessions): Promise<void> {
  const sockets = [...io.of('/').sockets.values()];
  if (sockets.length === 0) return;
  const tokens = sockets.map((socket) => String(tokenOf(socket)));
  const closed = await sessions.closedAmong(tokens);
  for (const [i, socket] of sockets.entries()) if (closed.has(tokens[i] ?? '')) socket.disconnect(true);
}
