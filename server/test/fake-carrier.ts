import type { AddressInfo } from 'node:net';
import smpp, { type Pdu } from 'smpp';

type Answer = 'accept' | 'accept-and-hang' | 'hang-up' | { status: string };

interface CarriedPart {
  to: string;
  from: string;
  text: string;
  coding: number;
  /** Number of the message, count of its parts, and index of this one; null for a single part. */
  header: [number, number, number] | null;
}

export const CARRIER = { systemId: 'navette', password: 'smpp-pass' }; // 8 characters: the maximum of SMPP

/** A local carrier with SMPP 3.4: binds, accepts messages in parts, sends enquiries, and disconnects on request. */
export async function startFakeCarrier() {
  const parts: CarriedPart[] = [];
  let answers: Answer[] = [];
  let binds = 0;
  let enquiries = 0;
  const server = smpp.createServer((session) => {
    session.on('error', () => {});
    session.on('bind_transceiver', (pdu: Pdu) => {
      const known = pdu.system_id === CARRIER.systemId && pdu.password === CARRIER.password;
      if (known) binds++;
      session.send(pdu.response(known ? { system_id: 'carrier' } : { command_status: smpp.errors.ESME_RINVPASWD }));
    });
    session.on('enquire_link', (pdu: Pdu) => {
      enquiries++;
      session.send(pdu.response());
    });
    session.on('unbind', (pdu: Pdu) => {
      session.send(pdu.response());
      session.close();
    });
    session.on('submit_sm', (pdu: Pdu) => {
      const answer = answers.shift() ?? 'accept';
      if (answer === 'hang-up') return session.destroy();
      if (typeof answer === 'object') {
        return void session.send(pdu.response({ command_status: smpp.errors[answer.status] }));
      }
      parts.push(read(pdu));
      if (answer === 'accept') session.send(pdu.response({ message_id: `carrier-${parts.length}` }));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;

  return {
    url: `smpp://${CARRIER.systemId}:${CARRIER.password}@127.0.0.1:${port}`,
    address: `smpp://127.0.0.1:${port}`,
    parts,
    get binds() {
      return binds;
    },
    get enquiries() {
      return enquiries;
    },
    /** Used in order; afterwards messages are accepted. */
    answerWith(...next: Answer[]) {
      answers = next;
    },
    /** Closes every session without notice, as carriers do for maintenance. */
    hangUp() {
      for (const session of [...server.sessions]) session.destroy();
    },
    async stop() {
      const closed = new Promise((done) => server.close(done));
      for (const session of [...server.sessions]) session.destroy();
      await closed;
    },
  };
}

function read(pdu: Pdu): CarriedPart {
  const { message = '', udh } = pdu.short_message ?? {};
  const [, , number, total, position] = udh?.[0] ?? [];
  return {
    to: pdu.destination_addr ?? '',
    from: pdu.source_addr ?? '',
    text: String(message),
    coding: pdu.data_coding ?? -1,
    header: number === undefined ? null : [number, total ?? 0, position ?? 0],
  };
}
