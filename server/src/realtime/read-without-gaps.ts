import type { Redis } from 'ioredis';

type Read = (...args: (string | number)[]) => Promise<unknown>;

/**
 * Until the first entry arrives, the Socket.IO adapter reads the stream from `$`, which means "from now on", again and
 * again: an entry that is written between two of these reads would never be seen. Here `$` means the end of the stream
 * at the first read.
 */
export function readWithoutGaps(reader: Redis, streamName: string): Redis {
  const read = reader.xread.bind(reader) as Read;
  let start: string | null = null;
  const xread: Read = async (...args) => {
    if (args.at(-1) !== '$') return read(...args);
    start ??= (await reader.xrevrange(streamName, '+', '-', 'COUNT', 1))[0]?.[0] ?? '0-0';
    return read(...args.slice(0, -1), start);
  };
  return Object.assign(reader, { xread });
}
