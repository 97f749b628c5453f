import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyShownOnce } from './key-shown-once.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';

interface Props {
  disabled?: boolean;
  /** Called once the key was shown and saved. */
  onMade?: (secret: string) => void;
}

/** From the form to the key shown once. The key lives in this component and goes with it. */
export function CreateKeyButton({ disabled = false, onMade }: Props) {
  const { t } = useTranslation('developers');
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} disabled={disabled} onClick={() => setAsking(true)}>
        {t('keys.create')}
      </Button>
      {isAsking && (
        <NewKeyDialog
          onClose={() => setAsking(false)}
          onCreated={(made) => {
            setAsking(false);
            setSecret(made);
          }}
        />
      )}
      {secret !== null && (
        <KeyShownOnce
          secret={secret}
          onSaved={() => {
            setSecret(null);
            onMade?.(secret);
          }}
        />
      )}
    </>
  );
}
