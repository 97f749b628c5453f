import { queryClient } from '@navette/ui/api/query-client.ts';
import { GuestLayout } from '@navette/ui/frame/guest-layout.tsx';
import { NotFoundPage } from '@navette/ui/frame/not-found-page.tsx';
import { PageFailure } from '@navette/ui/frame/page-failure.tsx';
import { PageLoading } from '@navette/ui/frame/page-loading.tsx';
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { onSessionEnd } from './api/call.ts';
import { StaffLayout } from './layout/staff-layout.tsx';
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
    component: lazyRouteComponent(() => import('./pages/session/sign-in-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => guest,
    path: '/forgotten-password',
    component: lazyRouteComponent(() => import('@navette/ui/pages/session/forgotten-password-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => guest,
    path: '/reset',
    component: lazyRouteComponent(() => import('@navette/ui/pages/session/reset-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => guest,
    path: '/invitation',
    component: lazyRouteComponent(() => import('./pages/session/invitation-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => guest,
    path: '/second-factor',
    beforeLoad: async ({ location }) => {
      await requireSession(location.href);
    },
    component: lazyRouteComponent(() => import('./pages/session/second-factor-page.tsx')),
  }),
] as const;
const staffPages = [
  createRoute({
    getParentRoute: () => staff,
    path: '/',
    validateSearch: readInboxFilter,
    component: lazyRouteComponent(() => import('./pages/inbox/inbox-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/shipments/$id',
    component: lazyRouteComponent(() => import('./pages/shipment/shipment-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/merchants/$id',
    component: lazyRouteComponent(() => import('./pages/merchant/merchant-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/drivers/$id',
    component: lazyRouteComponent(() => import('./pages/driver/driver-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/approvals',
    component: lazyRouteComponent(() => import('./pages/approvals/approvals-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/staff',
    component: lazyRouteComponent(() => import('./pages/staff/staff-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/log',
    validateSearch: readLogFilter,
    component: lazyRouteComponent(() => import('./pages/log/log-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => staff,
    path: '/profile',
    component: lazyRouteComponent(() => import('./pages/profile/profile-page.tsx')),
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
