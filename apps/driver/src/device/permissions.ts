export type Permission = 'granted' | 'denied' | 'prompt' | 'unsupported';

/** State of a permission without asking for it. */
export async function permissionOf(name: 'geolocation' | 'camera' | 'notifications'): Promise<Permission> {
  if (name === 'notifications') {
    if (!('Notification' in globalThis)) return 'unsupported';
    return Notification.permission === 'default' ? 'prompt' : Notification.permission;
  }
  if (name === 'camera' && !navigator.mediaDevices) return 'unsupported';
  // Some browsers cannot be asked for the camera.
  const status = await navigator.permissions?.query({ name: name as PermissionName }).catch(() => null);
  return status?.state ?? 'prompt';
}

/** Makes the browser ask, and returns the answer. */
export async function askFor(name: 'geolocation' | 'camera' | 'notifications'): Promise<Permission> {
  if (name === 'notifications') {
    if (!('Notification' in globalThis)) return 'unsupported';
    const answer = await Notification.requestPermission();
    return answer === 'default' ? 'prompt' : answer;
  }
  if (name === 'camera') {
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' } });
      for (const track of stream.getTracks()) track.stop();
      return 'granted';
    } catch (error) {
      return error instanceof DOMException && error.name === 'NotAllowedError' ? 'denied' : 'unsupported';
    }
  }
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      () => resolve('granted'),
      ({ code }) => resolve(code === GeolocationPositionError.PERMISSION_DENIED ? 'denied' : 'granted'),
      { timeout: 10_000, maximumAge: 60_000 },
    );
  });
}
