import { type Api, createApi } from '../call-api.ts';

interface CsrfApi<Name extends string> extends Api<Name> {
  /** The session response contains the token. Every request except GET sends it. */
  setCsrfToken: (token: string) => void;
  /** Registers the handler for responses that show that the session has ended. */
  onSessionEnd: (handler: () => void) => void;
}

/** An API with sessions in cookies. */
export function createCsrfApi<Name extends string>(
  routes: Record<Name | 'readSession', string>,
  basePath: string,
): CsrfApi<Name> {
  let csrfToken = '';
  let sessionEnded = () => {};
  const api = createApi<Name>({
    routes,
    basePath,
    headersFor: (method): Record<string, string> => (method === 'GET' ? {} : { 'x-csrf-token': csrfToken }),
    // Not for readSession itself: the handler makes the router read the session again, which would never end.
    onRefusal: (name, { slug }) => {
      if (slug === 'NOT_SIGNED_IN' && name !== 'readSession') sessionEnded();
    },
  });
  return {
    ...api,
    setCsrfToken(token) {
      csrfToken = token;
    },
    onSessionEnd(handler) {
      sessionEnded = handler;
    },
  };
}
