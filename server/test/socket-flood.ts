import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DRIVER_SOCKET_PATH } from '@navette/contract';
import { io } from 'socket.io-client';

export interface SocketFlood {
  url: string;
  token: string;
  /** Commands to send in order, as fast as possible. After a disconnect, the next connection continues. */
  names: string[];
  messages: number;
}

export interface FloodResult {
  /** Number of responses by status. */
  answers: Record<number, number>;
  /** How often the server closed the connection. */
  cuts: number;
}

const THIS_FILE = fileURLToPath(import.meta.url);
const AT_ONCE = 250;
const QUIET_MS = 2_000; // without a response for this long, the rest was dropped with its connection

/**
 * A driver app that floods the server. It runs in its own process with low priority: another tenant should be slowed
 * down by the server's work only, not by the CPU time of the flood.
 */
export async function floodSocket(flood: SocketFlood): Promise<FloodResult> {
  const child = fork(THIS_FILE);
  setPriority(child.pid as number, constants.priority.PRIORITY_LOW);
  child.send(flood);
  const [result] = (await once(child, 'message')) as [FloodResult];
  child.disconnect();
  return result;
}

async function run({ url, token, names, messages }: SocketFlood): Promise<FloodResult> {
  const options = { path: DRIVER_SOCKET_PATH, auth: { token }, transports: ['websocket'], reconnectionDelay: 10 };
  const socket = io(url, { ...options, reconnectionDelayMax: 50 });
  const result: FloodResult = { answers: {}, cuts: 0 };
  let answered = 0;
  let lastResponseAt = Date.now();
  socket.on('disconnect', () => result.cuts++);
  const countResponse = ({ status }: { status: number }) => {
    answered++;
    lastResponseAt = Date.now();
    result.answers[status] = (result.answers[status] ?? 0) + 1;
  };
  for (let sent = 0; sent < messages; ) {
    await (socket.connected ? setImmediate() : setTimeout(5));
    if (!socket.connected) continue;
    for (let i = 0; i < AT_ONCE && sent < messages; i++, sent++)
      socket.emit(names[sent % names.length] as string, { latitude: 48.85, longitude: 2.35 }, countResponse);
    lastResponseAt = Date.now();
  }
  while (answered < messages && Date.now() - lastResponseAt < QUIET_MS) await setTimeout(20);
  socket.close();
  return result;
}

if (process.argv[1] === THIS_FILE) {
  const [flood] = (await once(process, 'message')) as [SocketFlood];
  process.send?.(await run(flood));
}
