import type { Answer } from './call-api.ts';
import type { TestAccount, TestServer } from './test-server.ts';

export interface LabelAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** Follows a link to a label as a browser does, without a key. The host is replaced: a test server is not at PUBLIC_URL. */
export async function followLink(
  { url }: Pick<TestServer, 'url'>,
  link: string,
  request: RequestInit = {},
): Promise<LabelAnswer> {
  const { pathname, search } = new URL(link, url);
  const answer = await fetch(`${url}${pathname}${search}`, request);
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}

/** The three endpoints that return the file of one label. */
export const LABEL_LINK_ENDPOINTS: Record<
  string,
  (server: TestServer, account: TestAccount, id: string) => Promise<string>
> = {
  'POST /shipping/:id/download-link': async (server, account, id) =>
    linkIn(await server.call(account, 'POST', `/shipping/${id}/download-link`), 'downloadUrl'),
  'POST /shipping/:id/view-link': async (server, account, id) =>
    linkIn(await server.call(account, 'POST', `/shipping/${id}/view-link`), 'viewUrl'),
  'GET /shipping/:id/download': async (server, account, id) => {
    const { status, headers } = await server.call(account, 'GET', `/shipping/${id}/download`);
    if (status !== 302) throw new Error(`answered ${status}`);
    return headers.get('location') ?? '';
  },
};

function linkIn({ status, body }: Answer, field: string): string {
  if (status !== 200) throw new Error(`answered ${status}`);
  return body[field];
}
