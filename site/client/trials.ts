const TEST_KEY = /^navette_test_/;
const TEST_CLIENT_ID = /^nvc_test_/;

/** The forms that send a request of the reference, with a key of test mode that only this page's memory holds. */
export function startTrials(text: (name: string) => string): void {
  const keys = document.querySelector<HTMLFormElement>('form.keys');
  if (!keys) return;
  keys.addEventListener('submit', (event) => event.preventDefault());
  for (const form of document.querySelectorAll<HTMLFormElement>('.trial form')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void sendTrial(form, keys, text);
    });
  }
}

async function sendTrial(form: HTMLFormElement, keys: HTMLFormElement, text: (name: string) => string): Promise<void> {
  const answer = form.querySelector('.answer') as HTMLElement;
  const refuse = (message: string) => answer.replaceChildren(paragraph(message, 'refused'));
  const entered = (name: string) => keys.querySelector<HTMLInputElement>(`[name=${name}]`)?.value.trim() ?? '';
  const [key, clientId] = [entered('key'), entered('clientId')];
  if (key === '' || clientId === '') return refuse(text('tryNeedsKey'));
  if (!TEST_KEY.test(key) || !TEST_CLIENT_ID.test(clientId)) return refuse(text('tryOnlyTest'));
  const missing = [...form.querySelectorAll<HTMLInputElement>('[data-required]')].filter(
    ({ value }) => value.trim() === '',
  );
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name.replace(/^\w+:/, ''));
    return refuse(text('tryMissing').replace('{fields}', names.join(', ')));
  }
  const body = form.querySelector<HTMLTextAreaElement>('[name=body]')?.value;
  if (body !== undefined && !isJson(body)) return refuse(text('tryBadJson'));

  const button = form.querySelector('button');
  button?.setAttribute('disabled', '');
  try {
    const { path, headers } = partsOf(form);
    const started = performance.now();
    const response = await fetch(path, {
      method: form.dataset.method ?? 'GET',
      headers: {
        ...headers,
        authorization: `Bearer ${key}`,
        'x-client-id': clientId,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      credentials: 'omit', // the dashboard's session stays out of it
      ...(body === undefined ? {} : { body }),
    });
    const milliseconds = Math.round(performance.now() - started);
    answer.replaceChildren(
      paragraph(`${response.status} · ${milliseconds} ms`, response.ok ? 'done' : 'refused'),
      await contentOf(response, text),
    );
  } catch {
    refuse(text('tryFailed'));
  } finally {
    button?.removeAttribute('disabled');
  }
}

/** Address and headers of the request, from the fields of the form. */
function partsOf(form: HTMLFormElement): { path: string; headers: Record<string, string> } {
  let path = `/pro/api/v1${form.dataset.path ?? ''}`;
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  for (const { name, value } of form.querySelectorAll<HTMLInputElement>('input')) {
    const [place, field = ''] = name.split(':');
    if (value.trim() === '') continue;
    if (place === 'path') path = path.replace(`{${field}}`, encodeURIComponent(value.trim()));
    if (place === 'query') query.set(field, value.trim());
    if (place === 'header') headers[field] = value.trim();
  }
  return { path: query.size > 0 ? `${path}?${query}` : path, headers };
}

async function contentOf(response: Response, text: (name: string) => string): Promise<HTMLElement> {
  if (response.headers.get('content-type')?.startsWith('application/pdf')) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = 'navette.pdf';
    link.textContent = text('tryFile');
    return link;
  }
  const pre = document.createElement('pre');
  const received = await response.text();
  pre.textContent = isJson(received) ? JSON.stringify(JSON.parse(received), null, 2) : received;
  pre.tabIndex = 0;
  return pre;
}

function paragraph(content: string, kind: string): HTMLParagraphElement {
  const element = document.createElement('p');
  element.className = kind;
  element.textContent = content;
  return element;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
