/** In millimetres, like all measures of a label. */
export const PAGE = { width: 100, height: 150 } as const;
