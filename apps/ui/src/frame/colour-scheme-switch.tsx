import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

export function ColourSchemeSwitch() {
  const { t } = useTranslation('layout');
  const { setColorScheme } = useMantineColorScheme();
  const isDark = useComputedColorScheme('light', { getInitialValueInEffect: false }) === 'dark';
  const Icon = isDark ? IconSun : IconMoon;
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={t(isDark ? 'useLightColours' : 'useDarkColours')}
      title={t(isDark ? 'useLightColours' : 'useDarkColours')}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      <Icon size={18} stroke={1.6} />
    </ActionIcon>
  );
}
