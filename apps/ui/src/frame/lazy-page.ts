import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import { loadCode } from './load-code.ts';

/**
 * A page whose code is loaded when it is first opened. When code is missing, the router reloads the document, since a newer
 * version may have replaced it. Without a connection that would end the app; an error with a retry is shown instead.
 */
export const lazyPage = (load: () => Promise<{ default: unknown }>): RouteComponent =>
  lazyRouteComponent(async () => (await loadCode(load)) as { default: RouteComponent });
