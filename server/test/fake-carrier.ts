import type { AddressInfo } from 'node:net';
import smpp, { type Pdu } from 'smpp';

type Answer = 'accept' | 'accept-and-hang' | 'hang-up' | { status: string };

interface CarriedPart {
  to: string;
  from: string;
  text: string;
  coding: number;
  /** Number of the whole, how many parts, and which; null when it stands alone. */
  header: [number, number, number] | null;
}

export const CARRIER = { systemId: 'navette', password: 'smpp-pass' }; // 8 characters: SMPP has no room for more

/** A local carrier that speaks SMPP 3.4: binds, takes messages in parts, enquires, and breaks off when told to. */
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
    /** Given in turn; when there is none left, messages are accepted. */
    answerWith(...next: Answer[]) {
      answers = next;
    },
    /** As a carrier does at night: every session ends without a word. */
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
