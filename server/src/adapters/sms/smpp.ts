import { randomInt } from 'node:crypto';
import smpp from 'smpp';
import type { SendOutcome } from '../send-outcome.ts';
import { type BoundSession, bindSession, NotBound, type SmppOptions } from './smpp-session.ts';
import { splitSms } from './sms-parts.ts';
import type { Sms, SmsSender } from './sms-sender.ts';

const { errors } = smpp;
/** The carrier refuses this number or text. Any other status is temporary, or the operator can fix it. */
const PERMANENT = new Set(
  ['ESME_RINVMSGLEN', 'ESME_RINVDSTADR', 'ESME_RINVDSTTON', 'ESME_RINVDSTNPI', 'ESME_RX_P_APPN', 'ESME_RX_R_APPN'].map(
    (name) => errors[name],
  ),
);
const ENCODINGS = { gsm: 0x00, ucs2: 0x08 } as const;
const WITH_HEADER = 0x40; // esm_class: the text starts with a header

/**
 * SMPP 3.4 to a carrier: one bound session, opened by the first message and reopened after a failure. The protocol has
 * no way to look up a message whose response was lost.
 */
export function createSmppSender({ sender, ...options }: SmppOptions & { sender: string }): SmsSender {
  let binding: Promise<BoundSession> | null = null;

  /** Concurrent messages share one session, also while it is being opened. */
  async function session(): Promise<BoundSession> {
    for (;;) {
      binding ??= bindSession(options);
      const mine = binding;
      const open = await mine.catch((error: unknown) => {
        if (binding === mine) binding = null;
        throw error;
      });
      if (open.alive) return open;
      if (binding === mine) binding = null;
    }
  }

  return {
    provider: 'smpp',
    async send(sms) {
      let accepted = 0;
      try {
        const open = await session();
        let firstId: string | null = null;
        for (const fields of pdus(sms, sender)) {
          const { command_status: status, message_id: id } = await open.submit(fields);
          if (status !== 0) return refusal(status, accepted);
          accepted++;
          firstId ??= id ?? null;
        }
        return { kind: 'accepted', providerId: firstId };
      } catch (error) {
        const reason = (error as Error).message;
        return { kind: error instanceof NotBound && accepted === 0 ? 'postponed' : 'unknown', reason };
      }
    },
    async check() {
      await session();
    },
    async close() {
      const open = await binding?.catch(() => null);
      await open?.close();
    },
  };
}

/** When earlier parts of a long text were accepted, the phone may have received half of it. */
function refusal(status: number, acceptedBefore: number): SendOutcome {
  const reason = `smpp status ${status}`;
  if (PERMANENT.has(status)) return { kind: 'refused', reason };
  return { kind: acceptedBefore === 0 ? 'postponed' : 'unknown', reason };
}

/** One `submit_sm` per part; the header gives the parts of one text a common number. */
function pdus({ to, text }: Sms, sender: string): Record<string, unknown>[] {
  const { encoding, parts } = splitSms(text);
  const common = {
    ...addressOf('source', sender),
    ...addressOf('dest', to),
    data_coding: ENCODINGS[encoding],
  };
  if (parts.length === 1) return [{ ...common, short_message: parts[0] }];
  const number = randomInt(256);
  return parts.map((part, i) => ({
    ...common,
    esm_class: WITH_HEADER,
    short_message: Buffer.concat([Buffer.from([5, 0, 3, number, parts.length, i + 1]), part]),
  }));
}

function addressOf(side: 'source' | 'dest', address: string): Record<string, unknown> {
  const field = side === 'source' ? 'source_addr' : 'destination_addr';
  const [ton, npi] = /^\+\d+$/.test(address) ? [1, 1] : /^\d+$/.test(address) ? [0, 1] : [5, 0]; // number, short code, name
  return { [`${side}_addr_ton`]: ton, [`${side}_addr_npi`]: npi, [field]: address.replace(/^\+/, '') };
}
