import { once } from 'node:events';
import {
  DRIVER_BASE_PATH,
  DRIVER_ENDPOINTS,
  DRIVER_SOCKET_PATH,
  type DriverEndpoint,
  type DriverEndpointName,
  type DriverPush,
  socketQueryOf,
} from '@navette/contract';
import { io, type Socket } from 'socket.io-client';
import type { Database } from '../src/database/database.ts';
import { createDriver } from '../src/features/drivers/index.ts';
import { callApi } from './call-api.ts';

export interface TestDriver {
  id: string;
  token: string;
  email: string;
}

let count = 0;

export async function createTestDriver(
  db: Database,
  {
    available = true,
    now = new Date(),
    ...given
  }: {
    available?: boolean;
    now?: Date;
    autoAccept?: boolean;
    password?: string;
    firstName?: string;
    phoneNumber?: string;
  } = {},
): Promise<TestDriver> {
  const email = `driver-${process.pid}-${++count}@example.org`;
  const person = { firstName: 'Ana', lastName: 'Leroy', phoneNumber: '+33611111111', email };
  const created = await createDriver(db, { ...person, ...given }, now);
  await db.updateTable('drivers').set({ available }).where('id', '=', created.id).execute();
  return { ...created, email };
}

export interface CommandAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any;
}

export type SendCommand = (name: DriverEndpointName, payload?: Record<string, unknown>) => Promise<CommandAnswer>;

/** The app over HTTP: a command by its name, with the fields of path and body in one object. */
export const overHttp =
  (url: string, { token }: Pick<TestDriver, 'token'>): SendCommand =>
  async (name, payload = {}) => {
    const { method, path, body }: DriverEndpoint = DRIVER_ENDPOINTS[name];
    const filled = path.replaceAll(/:(\w+)/g, (_, field: string) => encodeURIComponent(String(payload[field])));
    const answer = await callApi(
      `${url}${DRIVER_BASE_PATH}${filled}`,
      { key: token },
      method,
      body ? { body: payload } : {},
    );
    return { status: answer.status, body: answer.body };
  };

export interface ConnectedApp {
  send: SendCommand;
  socket: Socket;
  /** Pushes of the server so far. */
  received: { push: DriverPush; payload: Record<string, unknown> }[];
  close(): void;
}

/** The app over its socket. */
export async function connectApp(url: string, { token }: Pick<TestDriver, 'token'>): Promise<ConnectedApp> {
  const connection = { path: DRIVER_SOCKET_PATH, query: socketQueryOf(token), transports: ['websocket'] };
  const socket = io(url, { ...connection, auth: { token }, forceNew: true });
  const received: ConnectedApp['received'] = [];
  socket.onAny((push: DriverPush, payload) => received.push({ push, payload }));
  const refused = once(socket as never, 'connect_error').then(([error]) => {
    throw error;
  });
  await Promise.race([once(socket as never, 'connect'), refused]);
  refused.catch(() => {});
  return {
    send: (name, payload = {}) => socket.timeout(240_000).emitWithAck(name, payload),
    socket,
    received,
    close: () => void socket.disconnect(),
  };
}
