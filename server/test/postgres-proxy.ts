import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A proxy to the test's PostgreSQL. While it is frozen, no data passes, as when the machine hangs. After a failover to
 * another machine, new connections work, and the old ones stay open without an answer.
 */
export async function startPostgresProxy(databaseUrl: string) {
  let target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let isCut = false;
  const endConnections = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => to.write(data));
      from
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
      if (isFrozen) from.pause();
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(databaseUrl), { hostname: '127.0.0.1', port }).href,
    freeze() {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    failOver() {
      for (const socket of sockets) socket.pause();
    },
    /** Ends all connections and refuses new ones. */
    cut() {
      isCut = true;
      endConnections();
    },
    /** Leads new connections to another server, as a proxy in front of a cluster does, and ends the old ones. */
    leadTo(otherUrl: string) {
      target = new URL(otherUrl);
      isCut = false;
      endConnections();
    },
    thaw() {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    stop() {
      endConnections();
      return new Promise<void>((closed) => server.close(() => closed()));
    },
  };
}
