import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** The parts of OTLP's JSON that tests look at. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  status: { code?: number };
}

interface TracesRequest {
  resourceSpans: { resource: object; scopeSpans: { spans: ReceivedSpan[] }[] }[];
}

/** An OpenTelemetry collector: receives OTLP over HTTP and keeps the spans. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    receive(request, response).catch(() => request.socket.destroy());
  });
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isTraces = request.method === 'POST' && request.url === '/v1/traces';
    const { resourceSpans } = (await json(request)) as TracesRequest;
    const found = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    if (isTraces && status === 200) spans.push(...found);
    response.writeHead(isTraces ? status : 404, { 'content-type': 'application/json' }).end('{}');
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    answerWith(code: number) {
      status = code;
    },
    async stop() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}
