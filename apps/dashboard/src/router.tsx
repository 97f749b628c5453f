import { queryClient } from '@navette/ui/api/query-client.ts';
import { GuestLayout } from '@navette/ui/frame/guest-layout.tsx';
import { lazyPage } from '@navette/ui/frame/lazy-page.ts';
import { NotFoundPage } from '@navette/ui/frame/not-found-page.tsx';
import { PageFailure } from '@navette/ui/frame/page-failure.tsx';
import { PageLoading } from '@navette/ui/frame/page-loading.tsx';
import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { onSessionEnd } from './api/call.ts';
import { MemberLayout } from './layout/member-layout.tsx';
import { leaveView } from './layout/view-banner.tsx';
import { readListFilter } from './pages/shipments/list/list-filter.ts';
import { requireSession, sessionQuery } from './session/session.ts';

const root = createRootRoute({ notFoundComponent: NotFoundPage, errorComponent: PageFailure });

/** Public pages: sign-in, password reset, invitation. */
const guest = createRoute({ getParentRoute: () => root, id: 'guest', component: GuestLayout });

/** Pages of an account. Without a session they redirect to the sign-in page, which leads back afterwards. */
const member = createRoute({
  getParentRoute: () => root,
  id: 'member',
  component: MemberLayout,
  beforeLoad: async ({ location }) => {
    await requireSession(location.href);
  },
});

type Search = Record<string, unknown>;
const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
/** The shipment whose values a form starts with. */
const readCopy = (search: Search): { copy?: string } => (text(search.copy) ? { copy: String(search.copy) } : {});

// One entry per page. The code of a page is loaded when it is first opened.
const guestPages = [
  createRoute({
    getParentRoute: () => guest,
    path: '/sign-in',
    validateSearch: (search: Search): { next?: string } => (text(search.next) ? { next: String(search.next) } : {}),
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
] as const;
const memberPages = [
  createRoute({
    getParentRoute: () => member,
    path: '/',
    component: lazyPage(() => import('./pages/overview/overview-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/account',
    component: lazyPage(() => import('./pages/account/account-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/account/messages',
    component: lazyPage(() => import('./pages/messages/messages-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/account/ledger',
    component: lazyPage(() => import('./pages/account/ledger-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/account/invoices',
    component: lazyPage(() => import('./pages/account/invoices-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/account/payments',
    validateSearch: (search: Search): { payment?: string; back?: 'done' | 'left' } => ({
      ...(text(search.payment) ? { payment: String(search.payment) } : {}),
      ...(search.back === 'done' || search.back === 'left' ? { back: search.back } : {}),
    }),
    component: lazyPage(() => import('./pages/payments/payments-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/shipments',
    validateSearch: readListFilter,
    component: lazyPage(() => import('./pages/shipments/list/shipments-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/shipments/new',
    validateSearch: readCopy,
    component: lazyPage(() => import('./pages/shipments/new/new-shipment-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/shipments/import',
    component: lazyPage(() => import('./pages/shipments/import/new-import-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/shipments/import/$id',
    component: lazyPage(() => import('./pages/shipments/import/import-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/shipments/$id',
    component: lazyPage(() => import('./pages/shipments/detail/shipment-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/recurring',
    component: lazyPage(() => import('./pages/recurring/recurring-list-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/recurring/new',
    validateSearch: readCopy,
    component: lazyPage(() => import('./pages/recurring/new-recurring-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/recurring/$id',
    component: lazyPage(() => import('./pages/recurring/recurring-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/recurring/$id/edit',
    component: lazyPage(() => import('./pages/recurring/edit-recurring-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/addresses',
    component: lazyPage(() => import('./pages/addresses/addresses-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/developers/keys',
    component: lazyPage(() => import('./pages/developers/keys/keys-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/developers/webhooks',
    component: lazyPage(() => import('./pages/developers/webhooks/webhooks-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/developers/webhooks/$id',
    component: lazyPage(() => import('./pages/developers/webhooks/webhook-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/developers/requests',
    component: lazyPage(() => import('./pages/developers/requests/requests-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/developers/start',
    component: lazyPage(() => import('./pages/developers/start/start-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/notifications',
    component: lazyPage(() => import('./pages/notifications/notifications-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/team',
    component: lazyPage(() => import('./pages/team/team-page.tsx')),
  }),
  createRoute({
    getParentRoute: () => member,
    path: '/profile',
    component: lazyPage(() => import('./pages/profile/profile-page.tsx')),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren([guest.addChildren(guestPages), member.addChildren(memberPages)]),
  basepath: '/dashboard',
  defaultPreload: 'intent',
  defaultPendingComponent: PageLoading,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

onSessionEnd(() => {
  const session = queryClient.getQueryData(sessionQuery.queryKey);
  if (session?.view) return leaveView(session.account.id);
  queryClient.removeQueries({ queryKey: sessionQuery.queryKey });
  if (!router.state.location.pathname.endsWith('/sign-in')) void router.invalidate();
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
