import { Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useSession } from '../session/session.ts';
import { useModeSwitch } from './use-mode-switch.ts';

/** In the header of every page. */
export function ModeSwitch() {
  const { t } = useTranslation('layout');
  const { mode } = useSession();
  const { mutate, isPending } = useModeSwitch();
  return (
    <Switch
      color="orange"
      aria-label={t('testMode.switch')}
      label={
        <>
          <Text span inherit visibleFrom="sm">
            {t('testMode.switch')}
          </Text>
          <Text span inherit hiddenFrom="sm">
            {t('testMode.short')}
          </Text>
        </>
      }
      labelPosition="left"
      checked={mode === 'test'}
      disabled={isPending}
      onChange={({ currentTarget }) => mutate(currentTarget.checked ? 'test' : 'live')}
      styles={{ label: { whiteSpace: 'nowrap' } }}
    />
  );
}
