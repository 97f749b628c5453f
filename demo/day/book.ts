import type { ShipmentStatus } from '@navette/contract';
import type { PlannedShipment } from './plan.ts';

export type Channel = 'http' | 'realtime';

/** One thing that somebody did to a shipment and that was answered with a yes. */
export interface Act {
  status: ShipmentStatus;
  channel: Channel;
  driverId: string | null;
  /** False when an answer got lost and the next one was a no: it may have happened all the same. */
  isCertain: boolean;
}

/** What the day did to one shipment, as those who did it remember. */
export interface Story {
  plan: PlannedShipment;
  id: string;
  referenceNumber: string;
  price: number;
  acts: Act[];
  /** Who has it now, as far as the day knows. */
  holder: string | null;
  /** Its incident has happened: from now on it is delivered like any other. */
  isFateDone: boolean;
  /** The operator is at it: drivers leave it alone. */
  isWithOperator: boolean;
  refusals: number;
  /** Offers that expire then are left alone. */
  ignoredUntil: string | null;
  /** Six figures, as the recipient's page shows them. */
  code: string | null;
  /** Since when a driver stands at the door without a code, or at the pickup without a QR code. */
  waitingSince: number | null;
}

/** The day's memory. Nothing in it comes from the database. */
export interface Book {
  stories: Map<string, Story>;
  complaints: string[];
  open(
    plan: PlannedShipment,
    created: { _id: string; referenceNumber: string; price: number; status: ShipmentStatus },
  ): Story;
  note(story: Story, act: Omit<Act, 'isCertain'> & { isCertain?: boolean }): void;
  complain(story: Story | null, what: string): void;
  isOver(story: Story): boolean;
  unfinished(): Story[];
  count(status: ShipmentStatus): number;
}

export function openBook(): Book {
  const stories = new Map<string, Story>();
  const complaints: string[] = [];
  const unfinished = new Set<Story>(); // every driver asks at every tick
  return {
    stories,
    complaints,
    open(plan, { _id: id, referenceNumber, price, status }) {
      const birth: Act = { status, channel: 'http', driverId: null, isCertain: true };
      const story: Story = {
        ...{ plan, id, referenceNumber, price, acts: [birth], holder: null, code: null },
        ...{ isFateDone: false, isWithOperator: false, refusals: 0, ignoredUntil: null, waitingSince: null },
      };
      stories.set(id, story);
      unfinished.add(story);
      return story;
    },
    note(story, { isCertain = true, ...act }) {
      story.acts.push({ ...act, isCertain });
      if (!isCertain) return;
      story.waitingSince = null;
      if (act.status === 'delivered' || act.status === 'cancelled') unfinished.delete(story);
      if (act.status === 'assigned') story.holder = act.driverId;
      // An answer that came late must not take the run from whoever has got it since.
      const isGivenBack = act.status === 'created' && (act.driverId === null || act.driverId === story.holder);
      if (isGivenBack || act.status === 'cancelled') story.holder = null;
    },
    complain(story, what) {
      complaints.push(story ? `${story.referenceNumber} (${story.plan.fate}): ${what}` : what);
    },
    isOver: (story) => !unfinished.has(story),
    unfinished: () => [...unfinished],
    count: (status) => {
      let many = 0;
      for (const { acts } of stories.values()) if (acts.at(-1)?.status === status) many++;
      return many;
    },
  };
}
