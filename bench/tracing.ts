import { createLog } from '../server/src/observability/create-log.ts';
import { createRegistry } from '../server/src/observability/metrics-registry.ts';
import { currentTraceparent, runInTrace } from '../server/src/observability/trace-context.ts';
import { createTracer, preciseNow } from '../server/src/observability/tracer.ts';
import { startOtlpReceiver } from '../server/test/otlp-receiver.ts';
import { processorSeconds, wrk } from './load/tools.ts';
import { type Stack, startStack } from './stack.ts';
import { MERCHANTS, SCENARIOS } from './versus.ts';

const CONNECTIONS = 16;
const ROUND_SECONDS = 2; // short, so that other load on the machine affects both sides of a pair equally

const CALLS = 400_000;

/**
 * The tracing code alone, without a server: what a creation adds to its request. CPU time of this process, so that a busy
 * machine hardly matters; that of the collector is included.
 */
async function benchTracingCode(percent: number, collectorUrl: string | null): Promise<number> {
  const settings = { tracing: { otlpUrl: collectorUrl, samplePercent: percent } };
  const tracer = createTracer(settings, createRegistry(), createLog('silent'));
  const attributes = {
    'http.route': '/pro/api/v1/shipping',
    'http.response.status_code': 201,
    'navette.request_id': 'x',
  };
  const span = { name: 'POST', kind: 'server', failed: false, attributes } as const;
  const before = process.cpuUsage();
  for (let i = 0; i < CALLS; i++) {
    const trace = tracer.begin(undefined);
    runInTrace(trace, () => currentTraceparent());
    if (trace.sampled) {
      tracer.record(tracer.childOf(trace), { ...span, startedAt: preciseNow() });
      tracer.record(trace, { ...span, startedAt: preciseNow() });
    }
    if (i % 1_000 === 0) await new Promise(setImmediate); // the exporter sends meanwhile
  }
  await tracer.stop();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

/**
 * The same requests with tracing off and at this share, in alternating rounds. Returns the largest ratio of CPU time per
 * request, over the median of the pairs: unlike requests per second, it hardly depends on other programs.
 */
export async function benchTracing(percent: number, seconds: number, rounds: number): Promise<number> {
  const collector = await startOtlpReceiver();
  await benchTracingCode(0, null); // warm up
  const code = [await benchTracingCode(0, null), await benchTracingCode(percent, collector.url)];
  console.log(
    `tracing code alone, per request: off ${code[0]?.toFixed(2)} µs, at ${percent} % ${code[1]?.toFixed(2)} µs`,
  );
  const off = await startStack(MERCHANTS);
  const on = await startStack(MERCHANTS, { OTLP_URL: collector.url, TRACE_SAMPLE_PERCENT: String(percent) });
  const pairs = Math.max(5, Math.round((seconds * rounds) / ROUND_SECONDS));
  try {
    const ratios: number[] = [];
    for (const [title, scriptOf] of SCENARIOS) {
      const [offScript, onScript] = [await scriptOf(off), await scriptOf(on)];
      await wrk(off.url, offScript, 3, CONNECTIONS); // warm up
      await wrk(on.url, onScript, 3, CONNECTIONS);
      const costs: { off: number; on: number }[] = [];
      for (let i = 0; i < pairs; i++) {
        const first = i % 2 === 0 ? await cost(off, offScript) : null;
        const traced = await cost(on, onScript);
        costs.push({ off: first ?? (await cost(off, offScript)), on: traced });
      }
      const ratio = median(costs.map((pair) => pair.on / pair.off));
      const [without, traced] = [median(costs.map((pair) => pair.off)), median(costs.map((pair) => pair.on))];
      ratios.push(ratio);
      console.log(
        `${title.replace(/ \(.*/, '')}: CPU per request off ${without.toFixed(1)} µs, at ${percent} % ${traced.toFixed(1)} µs; ratio, median of ${pairs} pairs: ${ratio.toFixed(3)}`,
      );
    }
    console.log(`spans received: ${collector.spans.length}`);
    return Math.max(...ratios);
  } finally {
    await Promise.all([off.stop(), on.stop()]);
    await collector.stop();
  }
}

/** CPU time of the server per request, in microseconds. */
async function cost({ url, pid }: Stack, script: string): Promise<number> {
  const before = processorSeconds(pid);
  const { perSecond } = await wrk(url, script, ROUND_SECONDS, CONNECTIONS);
  return ((processorSeconds(pid) - before) / (perSecond * ROUND_SECONDS)) * 1e6;
}

const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
