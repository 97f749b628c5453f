import { Button, Code, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../parts/copy-button.tsx';

/** Shown once: the server stores hashes only. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useTranslation('profile');
  const text = codes.join('\n');
  const download = () => {
    const address = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
    Object.assign(document.createElement('a'), { href: address, download: 'navette-recovery-codes.txt' }).click();
    URL.revokeObjectURL(address);
  };
  return (
    <Stack>
      <Title order={3} size="h5">
        {t('secondFactor.codesTitle')}
      </Title>
      <Text size="sm">{t('secondFactor.codesText')}</Text>
      <SimpleGrid cols={2} spacing="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {codes.map((code) => (
          <li key={code}>
            <Code block ta="center" px={4}>
              {code}
            </Code>
          </li>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <Group gap="xs">
          <CopyButton value={text} what={t('secondFactor.codes')} />
          <Button variant="default" leftSection={<IconDownload size={16} />} onClick={download}>
            {t('secondFactor.download')}
          </Button>
        </Group>
        <Button onClick={onDone}>{t('secondFactor.kept')}</Button>
      </Group>
    </Stack>
  );
}
