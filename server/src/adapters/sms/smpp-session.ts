import smpp, { type Pdu, type Session } from 'smpp';

export interface SmppOptions {
  /** `smpp://` or `ssmpp://` (TLS), host and port. */
  url: string;
  systemId: string;
  password: string;
  /** Of each response. */
  timeoutMs?: number;
  enquireEveryMs?: number;
}

/** Nothing was sent: no connection, or the carrier refused the bind. */
export class NotBound extends Error {}
/** A request was sent and its response never arrived. */
class ResponseLost extends Error {}

export interface BoundSession {
  submit(fields: Record<string, unknown>): Promise<Pdu>;
  readonly alive: boolean;
  close(): Promise<void>;
}

/** Connects and binds, then keeps the session alive with enquire_link requests and responds to the carrier's. */
export async function bindSession({
  url,
  systemId,
  password,
  timeoutMs = 10_000,
  enquireEveryMs = 30_000,
}: SmppOptions): Promise<BoundSession> {
  const session = smpp.connect({ url });
  const waiting = new Set<(error: Error) => void>();
  let alive = true;
  let failure = 'closed';
  session.on('error', (error: Error & { code?: string }) => {
    failure = error.code ?? 'protocol';
    session.destroy(); // the package reads no further after an error
  });
  session.on('close', () => {
    alive = false;
    clearInterval(enquiries);
    for (const reject of waiting) reject(new ResponseLost(`smpp ${failure}`));
    waiting.clear();
  });
  for (const command of ['enquire_link', 'deliver_sm', 'unbind']) {
    session.on(command, (pdu: Pdu) => {
      session.send(pdu.response());
      if (command === 'unbind') session.close();
    });
  }

  function ask(command: 'bind_transceiver' | 'submit_sm' | 'enquire_link', fields: Record<string, unknown>) {
    return new Promise<Pdu>((resolve, reject) => {
      const settle = (settled: () => void) => {
        clearTimeout(timer);
        waiting.delete(give);
        settled();
      };
      const give = (error: Error) => settle(() => reject(error));
      const timer = setTimeout(() => {
        failure = 'timeout';
        session.destroy(); // the session is dead: the next message opens another one
      }, timeoutMs);
      waiting.add(give);
      if (!session[command](fields, (pdu) => settle(() => resolve(pdu)))) give(new NotBound(`smpp ${failure}`));
    });
  }

  const enquiries = setInterval(() => void ask('enquire_link', {}).catch(() => {}), enquireEveryMs);
  enquiries.unref();

  await connected(session, timeoutMs, () => failure);
  const bound = await ask('bind_transceiver', { system_id: systemId, password, interface_version: 0x34 }).catch(
    (error: Error) => {
      throw new NotBound(error.message);
    },
  );
  if (bound.command_status !== 0) {
    session.destroy();
    throw new NotBound(`smpp bind ${bound.command_status}`);
  }
  return {
    submit: (fields) => ask('submit_sm', fields),
    get alive() {
      return alive;
    },
    async close() {
      if (!alive) return;
      await new Promise<void>((closed) => {
        session.on('close', closed);
        session.unbind({}, () => session.close());
        setTimeout(() => session.destroy(), 1_000).unref();
      });
    },
  };
}

function connected(session: Session, timeoutMs: number, reason: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => session.destroy(), timeoutMs);
    session.on('connect', () => {
      clearTimeout(timer);
      resolve();
    });
    session.on('close', () => {
      clearTimeout(timer);
      reject(new NotBound(`smpp ${reason()}`));
    });
  });
}
