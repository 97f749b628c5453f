import { queryClient } from '@navette/ui/api/query-client.ts';
import { GuestLayout } from '@navette/ui/frame/guest-layout.tsx';
import { lazyPage } from '@navette/ui/frame/lazy-page.ts';
import { NotFoundPage } from '@navette/ui/frame/not-found-page.tsx';
import { PageFailure } from '@navette/ui/frame/page-failure.tsx';
import { PageLoading } from '@navette/ui/frame/page-loading.tsx';
import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { onSessionEnd } from './api/call.ts';
import { StaffLayout } from './layout/staff-layout.tsx';
import { readBoardFilter } from './pages/dispatch/board-filter.ts';
import { readFiguresFilter } from './pages/figures/figures-filter.ts';
import { readInboxFilter } from './pages/inbox/inbox-filter.ts';
import { readLogFilter } from './pages/log/log-filter.ts';
import { requireSession, sessionQuery } from './session/session.ts';

const root = createRootRoute({ notFoundComponent: NotFoundPage, errorComponent: PageFailure });

/** Public pages: sign-in, password reset, invitation, and the set-up of a second factor before anything else. */
const guest = createRoute({ getParentRoute: () => root, id: 'guest', component: GuestLayout });

/** Pages of the console. Without a session they redirect to the sign-in page, which leads back afterwards. */
const staff = createRoute({
  getParentRoute: () => root,
  id: 'staff',
  component: StaffLayout,
  beforeLoad: async ({ location }) => {
    const { secondFactorMissing } = await requireSession(location.href);
    if (secondFactorMissing) throw redirect({ to: '/second-factor' });
  },
});

type Search = Record<string, unknown>;
const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

// One entry per page. The code of a page is loaded when it is first opened.
const guestPages = [
  createRoute({
    getParentRoute: () => guest,
    path: '/sign-in',
    validateSearch: (search: Search): { next?: string; error?: string } => ({
      ...(text(search.next) ? { next: String(search.next) } : {}),
      ...(text(search.error) ? { error: String(search.error) } : {}),
    }),
    component: lazyPage(() => import('./pages/session/sign-in-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => guest,
    path: '/forgotten-password',
    component: lazyPage(() => import('@navette/ui/pages/session/forgotten-password-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => guest,
    path: '/reset',
    component: lazyPage(() => import('@navette/ui/pages/session/reset-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => guest,
    path: '/invitation',
    component: lazyPage(() => import('./pages/session/invitation-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => guest,
    path: '/second-factor',
    beforeLoad: async ({ location }) => {
      await requireSession(location.href);
    },
    component: lazyPage(() => import('./pages/session/second-factor-page.tsx')),
  }),
] as const;
const staffPages = [
  createRoute({
    getParentRoute: () => staff,
    path: '/',
    validateSearch: readInboxFilter,
    component: lazyPage(() => import('./pages/inbox/inbox-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/dispatch',
    validateSearch: readBoardFilter,
    component: lazyPage(() => import('./pages/dispatch/dispatch-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/map',
    component: lazyPage(() => import('./pages/map/map-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/shipments/$id',
    component: lazyPage(() => import('./pages/shipment/shipment-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/figures',
    validateSearch: readFiguresFilter,
    component: lazyPage(() => import('./pages/figures/figures-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/merchants',
    component: lazyPage(() => import('./pages/merchants/merchants-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/payments',
    component: lazyPage(() => import('./pages/payments/payments-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/invoices',
    validateSearch: (search: Search): { account?: string } =>
      text(search.account) ? { account: String(search.account) } : {},
    component: lazyPage(() => import('./pages/invoices/invoices-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/drivers',
    component: lazyPage(() => import('./pages/drivers/drivers-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/merchants/$id',
    component: lazyPage(() => import('./pages/merchant/merchant-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/drivers/$id',
    component: lazyPage(() => import('./pages/driver/driver-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/approvals',
    component: lazyPage(() => import('./pages/approvals/approvals-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/staff',
    component: lazyPage(() => import('./pages/staff/staff-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/log',
    validateSearch: readLogFilter,
    component: lazyPage(() => import('./pages/log/log-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/profile',
    component: lazyPage(() => import('./pages/profile/profile-page.tsx')),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([guest.addChildren(guestPages), staff.addChildren(staffPages)]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

onSessionEnd(() => {
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
  if (!router.state.location.pathname.endsWith('/sign-in')) void router.invalidate();
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
