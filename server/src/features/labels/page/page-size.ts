/** In millimetres, like all measures of a label. */
export const PAGE = { width: 100, height: 150 } as const;

/** A4 with four labels. Printers leave a border of up to 5 mm white, so the drawing, 142 mm high, is made 138.5 mm high. */
export const A4 = { width: 210, height: 297, labelScale: 138.5 / 142 } as const;
