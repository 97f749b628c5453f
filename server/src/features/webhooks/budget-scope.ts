const BURST_SECONDS = 0.25; // after a pause, a scope may send this many seconds' worth of its rate at once

export interface ScopeLimits {
  /** Requests under way at a time. */
  inFlight: number;
  perSecond: number;
}

/**
 * A token bucket with a limit on concurrent requests, such as those to one host, shared by holders, such as accounts.
 *
 * A holder may begin a request only while it has fewer in flight than are free. So one holder takes at most half, and the
 * next one does not have to wait for the first one's endpoint to time out. As requests end, holders with many in flight
 * get no more until all hold about the same.
 */
export class BudgetScope {
  readonly #limits: ScopeLimits;
  readonly #now: () => number;
  readonly #held = new Map<string, number>();
  readonly #burst: number;
  #inFlight = 0;
  #tokens: number;
  #refilledAt: number;

  constructor(limits: ScopeLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
    this.#burst = Math.max(1, limits.perSecond * BURST_SECONDS);
    this.#tokens = this.#burst;
    this.#refilledAt = now();
  }

  hasRoomFor(holder: string): boolean {
    this.#refill();
    return this.#tokens >= 1 && (this.#held.get(holder) ?? 0) < this.#limits.inFlight - this.#inFlight;
  }

  begin(holder: string): void {
    this.#tokens--;
    this.#inFlight++;
    this.#held.set(holder, (this.#held.get(holder) ?? 0) + 1);
  }

  /** `wasSent` is false when no request was made: it does not count towards the rate either. */
  end(holder: string, wasSent: boolean): void {
    if (!wasSent) this.#tokens = Math.min(this.#burst, this.#tokens + 1);
    this.#inFlight--;
    const held = (this.#held.get(holder) ?? 0) - 1;
    if (held > 0) this.#held.set(holder, held);
    else this.#held.delete(holder);
  }

  /** No different from a new scope: it may be deleted. */
  isIdle(): boolean {
    this.#refill();
    return this.#inFlight === 0 && this.#tokens === this.#burst;
  }

  #refill(): void {
    const now = this.#now();
    const earned = ((now - this.#refilledAt) / 1_000) * this.#limits.perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + earned);
    this.#refilledAt = now;
  }
}
