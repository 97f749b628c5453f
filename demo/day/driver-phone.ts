import type { DriverEndpointName } from '@navette/contract';
import { type ConnectedApp, connectApp, overHttp } from '../../server/test/driver-app.ts';
import type { Channel } from './book.ts';
import type { Eavesdropper } from './eavesdropper.ts';
import { type Patience, type PatientAnswer, untilAnswered } from './patience.ts';

/** The driver's app on one of the two channels; it does not give up. */
export interface DriverPhone {
  channel: Channel;
  say(name: DriverEndpointName, payload?: Record<string, unknown>): Promise<PatientAnswer>;
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
  eavesdropper: Eavesdropper;
}

export function phoneOverHttp({ urls, token, first, patience, eavesdropper }: Line): DriverPhone {
  const lines = urls.map((url) => overHttp(url, { token }));
  const lineAt = (attempt: number) => lines[(first + attempt) % lines.length] as (typeof lines)[0];
  return {
    channel: 'http',
    say: (name, payload) => overheard(eavesdropper, (attempt) => lineAt(attempt)(name, payload), patience),
    onPush: () => {},
    hangUp: () => {},
  };
}

export async function phoneOverSocket({ urls, token, first, patience, eavesdropper }: Line): Promise<DriverPhone> {
  const app = await connectPatiently(urls[first % urls.length] as string, token, patience);
  const { socket } = app;
  // Socket.IO comes back by itself after a broken connection, but not after the server's own goodbye.
  const comeBack = () => {
    if (!patience.signal.aborted && !socket.active) globalThis.setTimeout(() => socket.connect(), 300);
  };
  socket.on('connect_error', comeBack);
  socket.on('disconnect', comeBack);
  return {
    channel: 'realtime',
    say: (name, payload) => overheard(eavesdropper, () => app.say(name, payload), patience),
    onPush: (listen) => void socket.onAny(listen),
    hangUp: () => {
      socket.off('disconnect', comeBack);
      app.close();
    },
  };
}

async function overheard({ hear }: Eavesdropper, ...asking: Parameters<typeof untilAnswered>): Promise<PatientAnswer> {
  const answer = await untilAnswered(...asking);
  hear(JSON.stringify(answer.body));
  return answer;
}

async function connectPatiently(url: string, token: string, patience: Patience): Promise<ConnectedApp> {
  const { body } = await untilAnswered(async () => ({ status: 200, body: await connectApp(url, { token }) }), patience);
  return body;
}
