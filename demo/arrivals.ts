/** `npm run replay:arrivals`: demo days on a clock of their own, and how good the arrival estimates were. */
import { parseArgs } from 'node:util';
import { replayArrivals } from './arrivals/replay.ts';

const HELP = `Usage: npm run replay:arrivals -- [--days 7] [--shipments 300] [--drivers 14] [--seed 1]

Replays demo days minute by minute and prints, for each day, how many deliveries fell inside the window that was shown a
quarter of an hour before. The first day has the settings only, the others what the nights before them have taught.`;

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    days: { type: 'string', default: '7' },
    shipments: { type: 'string', default: '300' },
    drivers: { type: 'string', default: '14' },
    seed: { type: 'string', default: '1' },
  },
});
if (values.help) {
  console.log(HELP);
} else {
  const [days, shipments, drivers, seed] = [values.days, values.shipments, values.drivers, values.seed].map(Number);
  const options = { days: days ?? 7, shipments: shipments ?? 300, drivers: drivers ?? 14, seed: seed ?? 1 };
  console.log('day  deliveries  inside  median error  median width');
  for (const [i, day] of replayArrivals(options).entries()) {
    const { measured, inside, medianErrorMinutes, medianWidthMinutes } = day;
    const cells = [
      String(i + 1).padEnd(3),
      String(measured).padEnd(10),
      `${((100 * inside) / measured).toFixed(0)} %`.padEnd(6),
    ];
    console.log([...cells, `${medianErrorMinutes?.toFixed(1)} min`.padEnd(12), `${medianWidthMinutes} min`].join('  '));
  }
}
