import { DRIVERS_MOVED, type MapBox, type MovingDrivers, SHOW_AREA } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Socket } from 'socket.io';
import { repeat } from '../concurrency/repeat.ts';
import type { DriverSocketServer } from './driver-socket.ts';
import { STAFF_COOKIE } from './session-cookie.ts';
import { type StaffSessions, staffMay } from './staff-authentication.ts';
import { isForeignOrigin } from './web-authentication.ts';

const EVERY_MS = 1_000; // positions at most once a second, whatever drivers and consoles do
const SWEEP_MS = 1_000; // a socket is closed within seconds of its session
const MAX_SOCKETS = 10; // per person: tabs, and connections lost without a close

export interface ConsoleSocketOptions {
  sockets: DriverSocketServer;
  sessions: StaffSessions;
  publicUrl: string;
  /** The drivers in each of these areas, with one read for all. Fails while positions cannot be read. */
  readDrivers: (areas: MapBox[]) => Promise<MovingDrivers[]>;
}

interface Viewer {
  token: string;
  staffId: string;
  area: MapBox | null;
}

/**
 * The console's part of the socket: positions of drivers in the visible area of each map. A process reads positions once a
 * second for all its maps together, and only while somebody looks at one. The session cookie is checked at the handshake
 * and again every second, so a person who was signed out, removed or given another role sees nothing more.
 */
export function serveConsoleSocket(app: FastifyInstance, options: ConsoleSocketOptions): void {
  const { sockets, sessions, publicUrl, readDrivers } = options;
  const { origin: ownOrigin } = new URL(publicUrl);
  const namespace = sockets.console;
  const viewers = new Map<Socket, Viewer>();

  namespace.use((socket, next) => void authenticate(socket, next));
  namespace.on('connection', (socket) => {
    const token = tokenOf(socket);
    const staffId = String(socket.data.staffId);
    if (token === null) return socket.disconnect(true);
    const own = [...viewers].filter(([, viewer]) => viewer.staffId === staffId).map(([one]) => one);
    for (const oldest of own.slice(0, Math.max(0, own.length + 1 - MAX_SOCKETS))) oldest.disconnect(true);
    const viewer: Viewer = { token, staffId, area: null };
    viewers.set(socket, viewer);
    socket.on(SHOW_AREA, (given: unknown) => {
      viewer.area = readArea(given);
    });
    socket.on('disconnect', () => viewers.delete(socket));
  });

  const timers = [repeat(EVERY_MS, sendPositions), repeat(SWEEP_MS, closeRevoked)];
  app.addHook('preClose', async () => {
    for (const timer of timers) clearInterval(timer);
  });

  async function authenticate(socket: Socket, next: (error?: Error) => void): Promise<void> {
    if (!sockets.allowHandshake(socket.conn)) return;
    const { headers } = socket.handshake;
    const token = tokenOf(socket);
    const isForeign = isForeignOrigin(headers, headers.host ?? '', ownOrigin);
    const staff = isForeign || token === null ? null : await sessions.find(token).catch(() => null);
    if (!staff || !staffMay(staff, 'dispatch')) return next(new Error('refused'));
    socket.data = { staffId: staff.staffId }; // Socket.IO keeps it in Redis for a while, so never the token
    next();
  }

  async function closeRevoked(): Promise<void> {
    const checked = [...viewers]; // a socket that connects meanwhile has just been checked
    if (checked.length === 0) return;
    const open = await sessions.findOpen([...new Set(checked.map(([, { token }]) => token))]);
    for (const [socket, { token }] of checked) {
      const staff = open.get(token);
      if (!staff || !staffMay(staff, 'dispatch')) socket.disconnect(true);
    }
  }

  async function sendPositions(): Promise<void> {
    const maps = [...viewers].flatMap(([socket, { area }]) => (area ? [{ socket, area }] : []));
    if (maps.length === 0) return;
    const moved = await readDrivers(maps.map(({ area }) => area)).catch(() => null);
    for (const [i, { socket }] of maps.entries()) {
      // Volatile: a client that does not read gets the next positions instead of a queue, and Redis no copy.
      socket.volatile.emit(DRIVERS_MOVED, moved?.[i] ?? UNKNOWN);
    }
  }
}

const UNKNOWN: MovingDrivers = { known: false, drivers: [], clusters: [], total: 0 };

const tokenOf = (socket: Socket): string | null => STAFF_COOKIE.read({ headers: socket.handshake.headers });

/** Null when it is no area of the earth: the map of this socket then stays empty. */
function readArea(given: unknown): MapBox | null {
  const { west, south, east, north } = (given ?? {}) as Record<string, unknown>;
  const isWithin = (value: unknown, most: number): value is number =>
    typeof value === 'number' && Math.abs(value) <= most;
  if (!isWithin(west, 180) || !isWithin(east, 180) || !isWithin(south, 90) || !isWithin(north, 90)) return null;
  return west < east && south < north ? { west, south, east, north } : null;
}
