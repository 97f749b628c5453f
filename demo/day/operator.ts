import type { Book, Story } from './book.ts';
import type { Chance } from './chance.ts';

/** The operator, one command at a time at each of two keyboards. */
export interface Operator {
  reassign(story: Story): void;
  unassign(story: Story): void;
  assign(story: Story): void;
  confirm(story: Story): void;
  /** Whether this driver got this shipment from the operator, and so need not remember how. */
  gave(story: Story, driverId: string): boolean;
  commands(): number;
  rest(): Promise<void>;
}

const KEYBOARDS = 2;

export function seatOperator(
  navette: (args: string[]) => Promise<unknown>,
  book: Book,
  chance: Chance,
  driverIds: string[],
): Operator {
  const given = new Set<string>();
  const waiting: (() => Promise<void>)[] = [];
  const working = new Set<Promise<void>>();
  let commands = 0;

  /**
   * The act is noted before the command runs: whoever gets the shipment by it may go on before the command has ended.
   * Nobody else touches the shipment meanwhile, so it is the next thing that happens to it.
   */
  function order(story: Story, note: () => string[]): void {
    story.isWithOperator = true;
    waiting.push(async () => {
      const args = note();
      commands++;
      await navette(['shipment', ...args]).catch((error: unknown) => book.complain(story, String(error)));
      story.isFateDone = true;
      story.isWithOperator = false;
    });
    typeOn();
  }

  function typeOn(): void {
    while (working.size < KEYBOARDS) {
      const next = waiting.shift();
      if (!next) return;
      const work: Promise<void> = next().finally(() => {
        working.delete(work);
        typeOn();
      });
      working.add(work);
    }
  }

  function assign(story: Story): void {
    order(story, () => {
      const others = driverIds.filter((id) => !story.acts.some(({ driverId }) => driverId === id));
      const driverId = chance.pick(others);
      given.add(`${story.id} ${driverId}`);
      book.note(story, { status: 'assigned', channel: 'http', driverId });
      return ['assign', story.referenceNumber, driverId];
    });
  }

  return {
    assign,
    reassign: assign,
    unassign: (story) =>
      order(story, () => {
        book.note(story, { status: 'created', channel: 'http', driverId: null });
        return ['unassign', story.referenceNumber];
      }),
    confirm: (story) =>
      order(story, () => {
        book.note(story, { status: 'delivered', channel: 'http', driverId: story.holder });
        return ['confirm-delivery', story.referenceNumber, '--reason', 'the recipient confirmed by telephone'];
      }),
    gave: (story, driverId) => given.has(`${story.id} ${driverId}`),
    commands: () => commands,
    async rest() {
      while (working.size > 0) await Promise.all(working);
    },
  };
}
