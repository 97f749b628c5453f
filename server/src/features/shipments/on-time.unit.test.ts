import { describe, expect, test } from 'vitest';
import { isOnTime } from './on-time.ts';

const PARIS = 'Europe/Paris';
const at = (text: string) => new Date(text);

describe('on time', () => {
  const slot = { slotStartsAt: at('2026-03-04T13:00Z'), estimatedDeliveryAt: at('2026-03-04T15:00Z') };
  const scheduled = { ...slot, createdAt: at('2026-03-01T09:00Z') };
  const express = {
    slotStartsAt: null,
    estimatedDeliveryAt: at('2026-03-04T09:00Z'),
    createdAt: at('2026-03-04T09:00Z'),
  };

  test('a slot is kept until its last instant, and missed a millisecond later', () => {
    expect(isOnTime(scheduled, at('2026-03-04T15:00:00.000Z'), PARIS)).toBe(true);
    expect(isOnTime(scheduled, at('2026-03-04T15:00:00.001Z'), PARIS)).toBe(false);
  });

  test('an express parcel is on time on the local day of its creation, however late in the evening', () => {
    expect(isOnTime(express, at('2026-03-04T22:59:59Z'), PARIS)).toBe(true); // 23:59 in Paris
    expect(isOnTime(express, at('2026-03-04T23:00:00Z'), PARIS)).toBe(false); // midnight in Paris
  });

  test('a special request is on time on the day of its agreed pickup, even when created the day before', () => {
    const agreed = {
      slotStartsAt: null,
      estimatedDeliveryAt: at('2026-03-05T16:30Z'),
      createdAt: at('2026-03-04T20:00Z'),
    };
    expect(isOnTime(agreed, at('2026-03-05T21:00Z'), PARIS)).toBe(true);
    expect(isOnTime(agreed, at('2026-03-06T08:00Z'), PARIS)).toBe(false);
  });
});
