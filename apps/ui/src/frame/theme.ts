import { type CSSVariablesResolver, createTheme } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 }, // white text on shade 6 has a contrast below 4.5
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'Inter, "Inter fallback", system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontWeight: '650' },
  components: {
    Drawer: { styles: { title: { fontWeight: 650 } } },
    Modal: { styles: { title: { fontWeight: 650 } } },
  },
});

/** Darker than Mantine's dimmed greys and coloured texts, whose contrast is below 4.5. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#596273',
    '--mantine-color-placeholder': '#6b7484',
    '--mantine-color-error': '#c22525',
    '--mantine-color-green-text': '#1e6b2f',
    '--mantine-color-red-text': '#b42323',
    '--mantine-color-orange-text': '#a83a08',
    '--mantine-color-yellow-text': '#8a4a00',
    '--mantine-color-green-light-color': '#1e6b2f',
    '--mantine-color-red-light-color': '#b42323',
    '--mantine-color-orange-light-color': '#a83a08',
    '--mantine-color-yellow-light-color': '#8a4a00',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b0bb',
    '--mantine-color-placeholder': '#9098a4',
    '--mantine-color-error': '#ff8787',
  },
});

/** The CSP allows style tags with this nonce only. The server generates a new one for each page. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
