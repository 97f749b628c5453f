import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router';
import { ApiError } from '../api-error.ts';

/**
 * A page whose code is loaded when it is first opened. When code is missing, the router reloads the document, since a newer
 * version may have replaced it. Without a connection that would end the app; an error with a retry is shown instead.
 */
export const lazyPage = (load: () => Promise<{ default: unknown }>): RouteComponent =>
  lazyRouteComponent(async () => {
    try {
      return (await load()) as { default: RouteComponent };
    } catch (error) {
      throw (await isServerReached()) ? error : new ApiError(0, { error: 'NOT_REACHED' });
    }
  });

const isServerReached = () =>
  fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
