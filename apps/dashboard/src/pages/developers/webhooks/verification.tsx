import { Tabs, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import guide from '../../../../../../docs/webhooks.md?raw';
import { CodeBlock } from '../../../shared/code-block.tsx';

// The snippets of the webhook guide, which its tests execute.
const SNIPPETS = [
  { language: 'TypeScript', fence: 'ts', about: 'isFromNavette' },
  { language: 'PHP', fence: 'php', about: 'is_from_navette' },
  { language: 'Python', fence: 'python', about: 'is_from_navette' },
  { language: 'Shell', fence: 'bash', about: 'openssl' },
].map(({ language, fence, about }) => ({ language, code: snippet(fence, about) }));

export function Verification() {
  const { t } = useTranslation('developers');
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm">
        {t('webhooks.verifyText')}
      </Text>
      <Tabs defaultValue="TypeScript" keepMounted={false}>
        <Tabs.List mb="sm" aria-label={t('webhooks.verify')}>
          {SNIPPETS.map(({ language }) => (
            <Tabs.Tab key={language} value={language}>
              {language}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SNIPPETS.map(({ language, code }) => (
          <Tabs.Panel key={language} value={language}>
            <CodeBlock code={code} what={`${t('webhooks.verify')} (${language})`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}

function snippet(fence: string, about: string): string {
  const blocks = guide.matchAll(new RegExp(`^\`\`\`${fence}\\n(.*?)^\`\`\``, 'gms'));
  return [...blocks].map(([, code]) => code?.trim() ?? '').find((code) => code.includes(about)) ?? '';
}
