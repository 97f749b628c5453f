import { Badge, Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../parts/card.tsx';
import { usePersonApi } from '../../session/person-api.ts';
import { ReauthenticationForm } from './reauthentication-form.tsx';
import { SecondFactorSetUp } from './second-factor-set-up.tsx';

type Dialog = 'set-up' | 'remove' | 'renew';

export function SecondFactorCard() {
  const { t } = useTranslation('profile');
  const { t: tCommon } = useTranslation();
  const { secondFactor: isOn } = usePersonApi().usePerson();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const titles: Record<Dialog, string> = {
    'set-up': t('secondFactor.title'),
    remove: t('secondFactor.removeTitle'),
    renew: t('secondFactor.renewTitle'),
  };
  return (
    <Card
      title={t('secondFactor.title')}
      text={isOn ? t('secondFactor.onText') : t('secondFactor.offText')}
      aside={
        <Badge variant="light" color={isOn ? 'green' : 'gray'} size="lg" tt="none">
          {isOn ? t('secondFactor.on') : t('secondFactor.off')}
        </Badge>
      }
    >
      <Group gap="sm">
        {isOn ? (
          <>
            <Button variant="default" onClick={() => setDialog('renew')}>
              {t('secondFactor.renew')}
            </Button>
            <Button variant="default" onClick={() => setDialog('remove')}>
              {t('secondFactor.remove')}
            </Button>
          </>
        ) : (
          <Button onClick={() => setDialog('set-up')}>{t('secondFactor.start')}</Button>
        )}
      </Group>
      <Modal
        opened={dialog !== null}
        onClose={close}
        title={dialog && titles[dialog]}
        closeButtonProps={{ 'aria-label': tCommon('close') }}
        closeOnClickOutside={false}
      >
        {dialog === 'set-up' && <SecondFactorSetUp onDone={close} />}
        {(dialog === 'remove' || dialog === 'renew') && <ReauthenticationForm action={dialog} onDone={close} />}
      </Modal>
    </Card>
  );
}
