import { Button, Group, Text } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { IconFlask } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../session/session.ts';
import classes from './test-mode-banner.module.css';
import { useModeSwitch } from './use-mode-switch.ts';

/** Above every page in test mode. */
export function TestModeBanner() {
  const { t } = useTranslation('layout');
  const { mutate, isPending } = useModeSwitch();
  const { clockAheadSeconds } = useSession();
  const format = useFormat();
  const time = new Date(Date.now() + clockAheadSeconds * 1_000).toISOString();
  return (
    <section className={classes.banner} aria-label={t('testMode.title')}>
      <IconFlask size={20} stroke={1.8} aria-hidden className={classes.icon} />
      <Text size="sm" className={classes.text}>
        <strong>{t('testMode.title')}</strong> · {t('testMode.text')}
        {clockAheadSeconds > 0 && ` ${t('testMode.clock', { at: format.dateTime(time) })}`}
      </Text>
      <Group>
        <Button size="compact-sm" variant="white" color="dark" loading={isPending} onClick={() => mutate('live')}>
          {t('testMode.leave')}
        </Button>
      </Group>
    </section>
  );
}
