import { mergeThemeOverrides } from '@mantine/core';
import { theme as sharedTheme } from '@navette/ui/frame/theme.ts';

/** Another colour than the merchant's dashboard: an operator may have both open side by side. */
export const theme = mergeThemeOverrides(sharedTheme, {
  primaryColor: 'cyan',
  primaryShade: { light: 9, dark: 9 }, // white text on shade 8 has a contrast below 4.5
});
