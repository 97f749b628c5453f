import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../../shared/code-block.tsx';

interface Props {
  url: string;
  headers: { name: string; value: string }[];
  body: string;
}

/** The exact request that was sent, with the body that was signed. */
export function SentRequest({ url, headers, body }: Props) {
  const { t } = useTranslation('developers');
  const { pathname, search, host } = new URL(url);
  const lines = [
    `POST ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    ...headers.map(({ name, value }) => `${name}: ${value}`),
  ];
  return <CodeBlock code={`${lines.join('\n')}\n\n${body}`} what={t('webhooks.request')} />;
}
