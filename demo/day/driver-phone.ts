import type { DriverEndpointName } from '@navette/contract';
import { type ConnectedApp, connectApp, overHttp } from '../../server/test/driver-app.ts';
import type { Channel } from './journal.ts';
import type { LeakDetector } from './leak-detector.ts';
import { type Patience, type PatientAnswer, untilAnswered } from './patience.ts';

/** The driver's app on one of the two channels. It retries until it gets a response. */
export interface DriverPhone {
  channel: Channel;
  send(name: DriverEndpointName, payload?: Record<string, unknown>): Promise<PatientAnswer>;
  /** Called for each push of the server. */
  onPush(listen: () => void): void;
  hangUp(): void;
}

interface Line {
  urls: string[];
  token: string;
  /** Which of the addresses to try first. */
  first: number;
  patience: Patience;
  /** Receives a copy of every response. */
  leakDetector: LeakDetector | null;
}

export function phoneOverHttp({ urls, token, first, patience, leakDetector }: Line): DriverPhone {
  const lines = urls.map((url) => overHttp(url, { token }));
  const lineAt = (attempt: number) => lines[(first + attempt) % lines.length] as (typeof lines)[0];
  return {
    channel: 'http',
    send: (name, payload) => recorded(leakDetector, (attempt) => lineAt(attempt)(name, payload), patience),
    onPush: () => {},
    hangUp: () => {},
  };
}

export async function phoneOverSocket({ urls, token, first, patience, leakDetector }: Line): Promise<DriverPhone> {
  const app = await connectPatiently(urls[first % urls.length] as string, token, patience);
  const { socket } = app;
  // Socket.IO reconnects after a broken connection, but not after a disconnect by the server.
  const comeBack = () => {
    if (!patience.signal.aborted && !socket.active) globalThis.setTimeout(() => socket.connect(), 300);
  };
  socket.on('connect_error', comeBack);
  socket.on('disconnect', comeBack);
  return {
    channel: 'realtime',
    send: (name, payload) => recorded(leakDetector, () => app.send(name, payload), patience),
    onPush: (listen) => void socket.onAny(listen),
    hangUp: () => {
      socket.off('disconnect', comeBack);
      app.close();
    },
  };
}

async function recorded(
  leakDetector: LeakDetector | null,
  ...asking: Parameters<typeof untilAnswered>
): Promise<PatientAnswer> {
  const answer = await untilAnswered(...asking);
  leakDetector?.record(JSON.stringify(answer.body));
  return answer;
}

async function connectPatiently(url: string, token: string, patience: Patience): Promise<ConnectedApp> {
  const { body } = await untilAnswered(async () => ({ status: 200, body: await connectApp(url, { token }) }), patience);
  return body;
}
