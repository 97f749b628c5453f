/** Dimensions by which the figures of a period are listed. A zone is the postal code of the delivery. */
export const FIGURES_BY = ['day', 'hour', 'zone', 'merchant', 'driver'] as const;
export type FiguresBy = (typeof FIGURES_BY)[number];

/** Days of the longest period. */
export const LONGEST_PERIOD = 366;

/** Zones, merchants and drivers of a list; exports contain all of them. */
export const MOST_FIGURE_ROWS = 50;
