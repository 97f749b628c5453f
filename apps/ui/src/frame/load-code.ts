import { ApiError } from '../api-error.ts';

/** Loads code on demand. Without a connection, the error says so. */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    throw (await isServerReached()) ? error : new ApiError(0, { error: 'NOT_REACHED' });
  }
}

const isServerReached = () =>
  fetch(location.pathname, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
