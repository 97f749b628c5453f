/**
 * The merchants' endpoints of the scenarios: a bare HTTP server in its own process. /ok responds at once, /slow after
 * 4.9 s, /hole never. GET /report returns the number of requests to /ok and their delay after the event.
 */
import { createServer } from 'node:http';

const latencies: number[] = [];
let arrived = 0;
let lastAt = 0;

const server = createServer((request, response) => {
  const path = request.url ?? '';
  if (path === '/report' || path === '/reset') {
    const sorted = latencies.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? null;
    response.end(JSON.stringify({ arrived, lastAt, p50Ms: at(0.5), p99Ms: at(0.99), mostMs: sorted.at(-1) ?? null }));
    if (path === '/reset') {
      arrived = 0;
      latencies.length = 0;
    }
    return;
  }
  const now = Date.now();
  let head = '';
  request.on('data', (chunk: Buffer) => {
    head ||= chunk.toString('latin1', 0, 120);
  });
  request.on('end', () => {
    if (path.startsWith('/hole')) return;
    if (path.startsWith('/slow')) {
      setTimeout(() => response.end(), 4_900);
      return;
    }
    arrived++;
    lastAt = now;
    const at = /"timestamp":"([^"]+)"/.exec(head)?.[1];
    if (at) latencies.push(now - Date.parse(at));
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as { port: number };
  console.log(`http://127.0.0.1:${port}`);
});
