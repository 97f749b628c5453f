const ATTRIBUTE = 'data-mantine-color-scheme';

/** Prints dark pages in light colours: most printers leave backgrounds out, and light text on paper cannot be read. */
export function printInLight(): void {
  const { documentElement } = document;
  let shown: string | null = null;
  addEventListener('beforeprint', () => {
    shown = documentElement.getAttribute(ATTRIBUTE);
    documentElement.setAttribute(ATTRIBUTE, 'light');
  });
  addEventListener('afterprint', () => {
    if (shown !== null) documentElement.setAttribute(ATTRIBUTE, shown);
    shown = null;
  });
}
