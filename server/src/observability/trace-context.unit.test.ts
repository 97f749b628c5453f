import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog } from './create-log.ts';
import { formatTraceparent, parseTraceparent, runInTrace, startTrace } from './trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test.each([
  [`00-${TRACE}-${SPAN}-01`, true],
  [`00-${TRACE}-${SPAN}-00`, false],
  [`00-${TRACE}-${SPAN}-03`, true], // other flags are for later versions
  [`cc-${TRACE}-${SPAN}-01`, true],
  [`cc-${TRACE}-${SPAN}-01-and-more`, true],
])('%s is read', (header, sampled) => {
  expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, sampled });
});

test.each([
  ['nothing', undefined],
  ['a repeated header', [`00-${TRACE}-${SPAN}-01`]],
  ['two headers, joined by Node.js', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ['an empty one', ''],
  ['version ff', `ff-${TRACE}-${SPAN}-01`],
  ['version 00 with more fields', `00-${TRACE}-${SPAN}-01-more`],
  ['a later version without a separator', `cc-${TRACE}-${SPAN}-01more`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['capital letters', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['a short trace id', `00-${TRACE.slice(1)}-${SPAN}-01`],
  ['a line break', `00-${TRACE}-${SPAN}-01\n`],
  ['a document', `cc-${TRACE}-${SPAN}-01-${'x'.repeat(1_000)}`],
])('%s is ignored', (_name, header) => {
  expect(parseTraceparent(header)).toBeNull();
});

test('what is written is read again, and a new trace is valid', () => {
  const trace = startTrace();
  expect(parseTraceparent(formatTraceparent(trace))).toEqual(trace);
  expect(startTrace().traceId).not.toBe(trace.traceId);
});

test('lines that are logged in a trace carry its id, unless they name one', () => {
  const lines: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const log = createLog('info', sink);
  const trace = startTrace();
  runInTrace(trace, () => {
    log.info({ own: 1 }, 'inside');
    log.info({ traceId: 'another' }, 'inside');
  });
  log.info('outside');
  expect(lines.map(({ traceId }) => traceId)).toEqual([trace.traceId, 'another', undefined]);
  expect(lines[0]).toMatchObject({ own: 1, msg: 'inside' });
});
