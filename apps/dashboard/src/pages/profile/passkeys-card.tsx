import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { Card } from '@navette/ui/parts/card.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { supportsPasskeys } from '../../passkeys/passkey-support.ts';
import { AddPasskey } from './add-passkey.tsx';
import { RemovePasskey } from './remove-passkey.tsx';

const passkeysQuery = queryOptions({ queryKey: ['passkeys'], queryFn: () => call('listPasskeys') });

type Dialog = { kind: 'add' } | { kind: 'remove'; id: string; name: string };

export function PasskeysCard() {
  const { t } = useTranslation('profile');
  const { t: tCommon } = useTranslation();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const query = useQuery(passkeysQuery);
  const close = () => setDialog(null);
  return (
    <Card
      title={t('passkeys.title')}
      text={t('passkeys.text')}
      aside={
        supportsPasskeys() && (
          <Button size="xs" onClick={() => setDialog({ kind: 'add' })}>
            {t('passkeys.add')}
          </Button>
        )
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={44} />}>
        {({ passkeys }) => (
          <Stack gap="sm">
            {passkeys.length === 0 && <Text c="dimmed">{t('passkeys.none')}</Text>}
            {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
              <Group key={id} justify="space-between" gap="sm" mih={44}>
                <div>
                  <Text fw={500}>{name}</Text>
                  <Text size="sm" c="dimmed">
                    {t('passkeys.added')} <When at={createdAt} as="date" />,{' '}
                    {lastUsedAt ? (
                      <>
                        {t('passkeys.used')} <When at={lastUsedAt} />
                      </>
                    ) : (
                      t('passkeys.neverUsed')
                    )}
                  </Text>
                </div>
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => setDialog({ kind: 'remove', id, name })}
                  aria-label={t('passkeys.removeWhat', { name })}
                >
                  {t('passkeys.remove')}
                </Button>
              </Group>
            ))}
          </Stack>
        )}
      </Loaded>
      <Modal
        opened={dialog !== null}
        onClose={close}
        title={dialog?.kind === 'remove' ? t('passkeys.removeWhat', { name: dialog.name }) : t('passkeys.add')}
        closeButtonProps={{ 'aria-label': tCommon('close') }}
        closeOnClickOutside={false}
      >
        {dialog?.kind === 'add' && <AddPasskey onDone={close} />}
        {dialog?.kind === 'remove' && <RemovePasskey id={dialog.id} onDone={close} />}
      </Modal>
    </Card>
  );
}
