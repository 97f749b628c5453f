import { Button, FileButton, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from '../shipments.module.css';

interface Props {
  onFile: (file: File) => void;
  onPaste: () => void;
  busy: boolean;
}

export function DropZone({ onFile, onPaste, busy }: Props) {
  const { t } = useTranslation('imports');
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !busy) onFile(file);
  };
  return (
    <Stack
      align="center"
      gap="sm"
      p="xl"
      className={styles.drop ?? ''}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <ThemeIcon variant="light" size={56} radius="xl">
        <IconFileSpreadsheet size={28} stroke={1.5} />
      </ThemeIcon>
      <Text fw={600} ta="center">
        {t('drop')}
      </Text>
      <Group gap="sm" justify="center">
        <FileButton accept=".csv,.tsv,.txt,text/csv" onChange={(file) => file && onFile(file)}>
          {(props) => (
            <Button {...props} loading={busy}>
              {t('choose')}
            </Button>
          )}
        </FileButton>
        <Button variant="default" onClick={onPaste} disabled={busy}>
          {t('paste')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" ta="center">
        {t('limits')}
      </Text>
    </Stack>
  );
}
