/** Types of the package's functions that this project and its test server use; the package has none. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events';
  import type { Server as NetServer } from 'node:net';

  export interface Pdu {
    command: string;
    command_status: number;
    sequence_number: number;
    system_id?: string;
    password?: string;
    source_addr?: string;
    destination_addr?: string;
    message_id?: string;
    data_coding?: number;
    esm_class?: number;
    short_message?: { message: string | Buffer; udh?: Buffer[] };
    response(fields?: Record<string, unknown>): Pdu;
  }
  type Command = (fields: Record<string, unknown>, answered?: (pdu: Pdu) => void) => boolean;

  export interface Session extends EventEmitter {
    bind_transceiver: Command;
    submit_sm: Command;
    enquire_link: Command;
    unbind: Command;
    send(pdu: Pdu): boolean;
    close(closed?: () => void): void;
    destroy(closed?: () => void): void;
  }
  export interface Server extends NetServer {
    sessions: Session[];
  }

  interface Smpp {
    connect(options: { url: string; connectTimeout?: number }): Session;
    createServer(onSession: (session: Session) => void): Server;
    errors: Record<string, number>;
    encodings: Record<'ASCII' | 'UCS2', { decode(bytes: Buffer): string }>;
  }
  const smpp: Smpp;
  export default smpp;
}
