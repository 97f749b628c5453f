import { Readable } from 'node:stream';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { DOCUMENT_JSON } from './document-json.ts';

/**
 * All shipments of an account, newest first, as one streamed JSON answer. PostgreSQL writes the JSON and COPY hands it
 * over as bytes, so memory does not grow with the account and Node only passes chunks on. The quote and delimiter are
 * control characters, which JSON text never contains: rows come out unescaped, one a line.
 */
export async function exportShipments(pool: pg.Pool, accountId: string): Promise<Readable> {
  const client = await pool.connect();
  try {
    const stream = Readable.from(compose(await startCopy(client, accountId)), {
      objectMode: false,
      highWaterMark: 256 * 1024,
    });
    // Not in the generator, which never runs when the reader leaves before the first byte. Unless all was read, the rest
    // of the copy is still on the wire and the connection goes.
    stream.once('close', () => client.release(!stream.readableEnded));
    return stream;
  } catch (error) {
    client.release(true);
    throw error;
  }
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

async function* compose(rows: Readable): AsyncGenerator<Buffer | string> {
  yield '{"success":true,"shippings":[';
  yield* rows;
  yield ']}';
}
