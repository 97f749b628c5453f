import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../session/session.ts';
import { KeyShownOnce } from './key-shown-once.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';

interface Props {
  disabled?: boolean;
  /** Called with the key once the member has confirmed that it is saved. */
  onSaved?: (secret: string) => void;
}

/** Opens the form, then shows the new key once. The key is held in the state of this component only. */
export function CreateKeyButton({ disabled = false, onSaved }: Props) {
  const { t } = useTranslation('developers');
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  if (!may('develop')) return null;
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} disabled={disabled} onClick={() => setAsking(true)}>
        {t('keys.create')}
      </Button>
      {isAsking && (
        <NewKeyDialog
          onClose={() => setAsking(false)}
          onCreated={(created) => {
            setAsking(false);
            setSecret(created);
          }}
        />
      )}
      {secret !== null && (
        <KeyShownOnce
          secret={secret}
          onSaved={() => {
            setSecret(null);
            onSaved?.(secret);
          }}
        />
      )}
    </>
  );
}
