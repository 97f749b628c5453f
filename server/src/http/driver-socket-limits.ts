import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Server, Socket } from 'socket.io';
import { createTokenBucket } from '../concurrency/token-bucket.ts';
import { driverRoom } from '../realtime/socket-adapter.ts';

/**
 * Limits of one driver, and of one connection, in a process. The app stays far below each figure: a position every few
 * seconds, a command now and then, up to fifty queued while offline. A command over its driver's budget is answered 429
 * and reaches no route. An app that goes on sending loses its connection.
 */
const COMMAND_BURST = 200; // per driver; the API's limits apply after that
const MAX_RUNNING = 4; // commands per driver: one driver must not hold the ten PostgreSQL connections
const REFUSALS = { burst: 100, perMinute: 60 }; // per driver, answered before the connection is closed
const MAX_SOCKETS = 5; // per driver: phone, tablet, and connections lost without a close
const MESSAGES = { burst: 500, perMinute: 1_500 }; // per connection, of any kind
const MAX_UNREAD = 500; // responses buffered because the client does not read
const MAX_HANDSHAKES = 5; // per connection: each one looks up a token
const MAX_DRIVERS = 50_000; // bounds the memory of budgets

export type Connection = Socket['conn'];

export interface DriverSocketLimits {
  /** Runs `work` when a turn is free. Null when the driver is over budget; the connection may be closed then. */
  run<T>(socket: Socket, driverId: string, work: () => Promise<T>): Promise<T | null>;
  /** Closes the driver's oldest sockets beyond five. After a reconnection those are the dead ones. */
  closeOldest(driverId: string): void;
  /** False when the connection has tried too many tokens; it is closed then. */
  allowHandshake(connection: Connection): boolean;
}

export function limitDriverSockets(io: Server, perMinute: number, log: FastifyBaseLogger): DriverSocketLimits {
  const budgets = new LRUCache<string, ReturnType<typeof newBudget>>({ max: MAX_DRIVERS });
  const handshakes = new WeakMap<Connection, number>();
  const newBudget = () => ({
    commands: createTokenBucket({ burst: COMMAND_BURST, perMinute }),
    refusals: createTokenBucket(REFUSALS),
    running: 0,
    waiting: [] as (() => void)[],
  });

  function budgetOf(driverId: string) {
    const budget = budgets.get(driverId) ?? newBudget();
    budgets.set(driverId, budget);
    return budget;
  }

  io.engine.on('connection', (connection: Connection) => {
    const messages = createTokenBucket(MESSAGES);
    let unread = 0;
    connection.on('packet', () => {
      if (!messages.take()) terminate(connection, 'too many messages');
    });
    connection.on('packetCreate', () => {
      if (++unread > MAX_UNREAD) terminate(connection, 'responses are not read');
    });
    connection.on('drain', () => {
      unread = 0; // written to the network, which accepts no more than the client reads
    });
  });

  /** Without a closing handshake, which would wait until the client reads it. */
  function terminate(connection: Connection, reason: string, driver?: string): void {
    if (connection.readyState !== 'open') return;
    log.warn({ reason, driver }, 'socket connection terminated');
    connection.close(true);
    connection.request.socket.destroy();
  }

  return {
    async run({ conn }, driverId, work) {
      const budget = budgetOf(driverId);
      if (!budget.commands.take()) {
        if (!budget.refusals.take()) terminate(conn, 'too many commands', driverId);
        return null;
      }
      if (budget.running < MAX_RUNNING) budget.running++;
      else await new Promise<void>((resolve) => budget.waiting.push(resolve)); // resolved when another command ends
      try {
        return await work();
      } finally {
        const next = budget.waiting.shift();
        if (next) next();
        else budget.running--;
      }
    },
    closeOldest(driverId) {
      const { adapter, sockets } = io.of('/');
      const ids = [...(adapter.rooms.get(driverRoom(driverId)) ?? [])]; // oldest first
      for (const id of ids.slice(0, -MAX_SOCKETS)) sockets.get(id)?.disconnect(true);
    },
    allowHandshake(connection) {
      const tried = (handshakes.get(connection) ?? 0) + 1;
      handshakes.set(connection, tried);
      if (tried <= MAX_HANDSHAKES) return true;
      terminate(connection, 'too many tokens');
      return false;
    },
  };
}
