import { expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { createDrawingScheduler } from './drawing-scheduler.ts';

test('time slices go round-robin over accounts, then over documents, however many an account requests', async () => {
  const scheduler = createDrawingScheduler();
  const order: string[] = [];
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) {
    let left = 2;
    scheduler.add({
      accountId: name.slice(0, 1),
      draw: async () => {
        order.push(name);
        left--;
        return left > 0;
      },
    });
  }
  await eventually(() => expect(order).toHaveLength(10));
  expect(order.join(' ')).toBe('a1 b1 c1 a2 b1 c1 a3 a1 a2 a3');
});
