import {
  DASHBOARD_SLUGS,
  type DashboardErrorSlug,
  ERROR_SLUGS,
  type ErrorSlug,
  type FieldError,
  type RateWindow,
} from '@navette/contract';
import { expect } from 'vitest';

/** The expected response: this status and exactly these fields. */
const answer = (status: number, body: Record<string, unknown>) =>
  expect.objectContaining({ status, body: { success: false, ...body } });

export const messageOnly = (status: number) => answer(status, { message: expect.any(String) });

export const refusedAs = (slug: ErrorSlug) =>
  answer(ERROR_SLUGS[slug].status, { error: slug, message: expect.any(String) });

export const tooMany = (window: RateWindow) => answer(429, { message: expect.any(String), window });

export const fieldErrors = (location: FieldError['location'], ...paths: string[]) =>
  answer(400, { errors: paths.map((path) => ({ type: 'field', msg: expect.any(String), path, location })) });

export const dashboardRefusal = (slug: DashboardErrorSlug, extra: Record<string, unknown> = {}) =>
  answer(DASHBOARD_SLUGS[slug].status, { error: slug, message: expect.any(String), ...extra });
