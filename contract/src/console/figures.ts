import Type, { type Static } from 'typebox';
import { INCIDENT_KINDS } from '../driver/incidents.ts';
import { Closed, Euros, File, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { defineConsoleEndpoints } from './endpoint.ts';
import { FIGURES_BY, LONGEST_PERIOD, MOST_FIGURE_ROWS } from './figure-kinds.ts';

const Seconds = (description: string) =>
  Nullable(Type.Number({ description: `${description} In seconds, within 2.5 %; null without deliveries.` }));
const Money = (description: string) =>
  Nullable(Euros({ description: `${description} Null without the permission \`money\`.` }));

const FIELDS = {
  delivered: Type.Integer(),
  onTime: Type.Integer({ description: 'Deliveries by the end of the slot or, without one, on the promised day.' }),
  returned: Type.Integer({ description: 'Parcels that went back to the merchant.' }),
  cancelled: Type.Integer(),
  incidents: Type.Integer({ description: 'That have ended.' }),
  toDriverP50: Seconds('Half of the deliveries had their driver within this time.'),
  toDriverP95: Seconds('95 % of the deliveries had their driver within this time.'),
  toDoorP50: Seconds('Half of the deliveries were at the door within this time.'),
  toDoorP95: Seconds('95 % of the deliveries were at the door within this time.'),
  charged: Money('What merchants were charged for deliveries and returns.'),
  pay: Money('What drivers were paid by run.'),
};
const PeriodFigures = Closed(FIELDS, { title: 'PeriodFigures' });
export type PeriodFigures = Static<typeof PeriodFigures>;

const FigureRow = Closed(
  {
    key: Type.String({ description: 'A date, an hour (`00` to `23`), a postal code, or an id.' }),
    name: Nullable(Type.String({ description: 'Of the town, merchant or driver.' })),
    ...FIELDS,
  },
  { title: 'FigureRow' },
);
export type FigureRow = Static<typeof FigureRow>;

const IncidentFigure = Closed({ kind: OneOf(INCIDENT_KINDS), count: Type.Integer() }, { title: 'IncidentFigure' });

const period = {
  from: Type.Optional(Type.String({ format: 'date', description: 'The first local day; today when absent.' })),
  to: Type.Optional(
    Type.String({
      format: 'date',
      description: `The last local day, at most ${LONGEST_PERIOD} days in all; \`from\` when absent.`,
    }),
  ),
};
const dates = { from: Type.String({ format: 'date' }), to: Type.String({ format: 'date' }) };

export const figureEndpoints = defineConsoleEndpoints({
  readFigures: {
    section: 'Figures',
    summary: 'Read the figures of a period',
    description: 'Runs count on the local day of their end, incidents on the day on which they happened.',
    query: Type.Object(period),
    answers: {
      200: Closed({
        success: Success,
        ...dates,
        countedAt: Instant({ description: 'All that had ended by then is counted; usually a minute ago.' }),
        figures: PeriodFigures,
        incidents: Type.Array(IncidentFigure, { description: 'By kind, most frequent first.' }),
      }),
    },
    needs: 'read',
  },
  listFigures: {
    section: 'Figures',
    summary: 'List the figures of a period by day, hour, zone, merchant or driver',
    description: `Days and hours in their order. Zones, merchants and drivers: the ${MOST_FIGURE_ROWS} with the most runs.`,
    query: Type.Object({ by: OneOf(FIGURES_BY), ...period }),
    answers: {
      200: Closed({
        success: Success,
        ...dates,
        rows: Type.Array(FigureRow),
        hasMore: Type.Boolean({ description: 'The export has more rows.' }),
      }),
    },
    needs: 'read',
  },
  exportFigures: {
    section: 'Figures',
    summary: 'Export the figures of a period as CSV',
    description: 'All rows of the list, or incidents by kind. Amounts only with the permission `money`.',
    query: Type.Object({ by: OneOf([...FIGURES_BY, 'incident'] as const), ...period }),
    answers: { 200: File('text/csv') },
    needs: 'read',
  },
});
