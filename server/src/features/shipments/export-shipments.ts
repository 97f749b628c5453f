import { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DOCUMENT_JSON } from './document-json.ts';
import { createTurns } from './turns.ts';

const STALLED_MS = 60_000; // a reader that takes nothing for so long has gone, or holds a connection for nothing

export type ShipmentExport = (accountId: string) => Promise<Readable>;

/**
 * All shipments of an account, newest first, as one streamed JSON answer. PostgreSQL writes the JSON and COPY hands it
 * over as bytes, so memory does not grow with the account and Node only passes chunks on. The quote and delimiter are
 * control characters, which JSON text never contains: rows come out unescaped, one a line.
 *
 * A copy holds its connection for as long as its reader takes, and there are few. So each account has one at a time, and
 * a reader who has stopped reading is cut off: nobody's export waits for somebody else's.
 */
export function createShipmentExport(pool: pg.Pool, stalledMs = STALLED_MS): ShipmentExport {
  const turns = createTurns();

  return async (accountId) => {
    const endTurn = await turns.take(accountId);
    const client = await pool.connect().catch((error: unknown) => {
      endTurn();
      throw error;
    });
    const release = (broken: boolean) => {
      client.release(broken);
      endTurn();
    };
    try {
      const rows = await startCopy(client, accountId);
      const stalled = () => stream.destroy(new Error('the reader of an export has stopped reading'));
      const stream = Readable.from(compose(rows, stalledMs, stalled), { objectMode: false, highWaterMark: 256 * 1024 });
      // Not in the generator, which never runs when the reader leaves before the first byte. Unless all was read, the
      // rest of the copy is still on the wire and the connection goes.
      stream.once('close', () => release(!stream.readableEnded));
      return stream;
    } catch (error) {
      release(true);
      throw error;
    }
  };
}

async function startCopy(client: pg.PoolClient, accountId: string): Promise<Readable> {
  const { rows } = await client.query<{ last: number }>(
    'select last_shipment as last from account_counters where account_id = $1',
    [accountId],
  );
  const last = Number(rows[0]?.last ?? 0);
  // COPY takes no parameters: the id comes from the caller's key and the number from the line above.
  const source = client.query(
    copyTo(`copy (
      select case when s.number = ${last} then '' else ',' end || ${DOCUMENT_JSON}
      from shipments s
      where s.account_id = ${client.escapeLiteral(accountId)} and s.number <= ${last}
      order by s.number desc
    ) to stdout (format csv, quote E'\\x01', escape E'\\x01', delimiter E'\\x02')`),
  );
  source.on('error', () => {}); // whoever reads it is told; nobody may be left to read it
  return source;
}

/** Goes on from a `yield` when the reader has taken enough of what it was given. */
async function* compose(rows: Readable, stalledMs: number, stalled: () => void): AsyncGenerator<Buffer | string> {
  yield '{"success":true,"shippings":[';
  for await (const chunk of rows) {
    const timer = setTimeout(stalled, stalledMs).unref();
    try {
      yield chunk as Buffer;
    } finally {
      clearTimeout(timer);
    }
  }
  yield ']}';
}
