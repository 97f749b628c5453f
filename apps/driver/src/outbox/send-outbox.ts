import { ApiError } from '@navette/ui/api-error';
import { call, request } from '../api/call.ts';
import { announce } from '../storage/announcements.ts';
import { drain } from './drain.ts';
import type { OutboxEntry } from './entry.ts';
import { applyChange, readOutbox } from './outbox-storage.ts';
import { judgeResponse, type Outcome } from './outcome.ts';

const LOCK = 'navette-driver-outbox';

/**
 * Sends what is due. One tab or the service worker at a time: the lock spans all of them, and a second one that waits
 * for it finds nothing left to send.
 */
export function sendOutbox(driverId: string): Promise<'drained' | 'signed-out'> {
  return navigator.locks.request(LOCK, () =>
    drain({
      entries: () => readOutbox(driverId),
      async apply(change, applied) {
        await applyChange(change, applied);
        announce('outbox');
        if (applied) announce('runs');
      },
      send,
      statusOf,
      now: () => Date.now(),
      random: () => Math.random(),
    }),
  );
}

async function send({ name, shipmentId, body, commandId, doneAt }: OutboxEntry): Promise<Outcome> {
  try {
    const parts = {
      ...(shipmentId === null ? {} : { params: { id: shipmentId } }),
      body: { ...body, commandId, doneAt },
    };
    const response = await request(name, parts);
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return judgeResponse({
      status: response.status,
      body: await response.json().catch(() => null),
      retryAfter: Number.isFinite(seconds) ? seconds : null,
    });
  } catch {
    return judgeResponse(null);
  }
}

async function statusOf(id: string) {
  try {
    return (await call('readShipment', { params: { id } })).shipping.status;
  } catch (error) {
    return error instanceof ApiError && error.status === 404 ? 'gone' : null;
  }
}
