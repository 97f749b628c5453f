import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Passes connections to the listed ports in turn, as a load balancer in front of the api processes does. */
export async function startBalancer() {
  let ports: number[] = [];
  let turn = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(ports[turn++ % ports.length] ?? 0, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => {});
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    use(healthy: number[]) {
      ports = healthy;
    },
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
