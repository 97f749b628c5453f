import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DbusReader, DbusWriter } from './dbus-values.ts';

export interface ShownNotification {
  id: number;
  title: string;
  body: string;
}

/** A desktop without a screen: Chromium shows its notifications there, and a test touches them. */
export interface Desktop {
  /** For the browser's process. */
  environment: Record<string, string>;
  shown: ShownNotification[];
  touch: (notification: ShownNotification) => void;
  stop: () => Promise<void>;
}

const SERVICE = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';
const [CALL, RETURN, FAILURE, SIGNAL] = [1, 2, 3, 4];
const CLOSED_BY_CALL = 3;
const FIELDS = { path: 1, interface: 2, member: 3, error: 4, replyTo: 5, destination: 6, sender: 7, signature: 8 };
const TYPES: Record<string, string> = { path: 'o', replyTo: 'u', signature: 'g' };

interface Header {
  path?: string;
  interface?: string;
  member?: string;
  error?: string;
  replyTo?: number;
  destination?: string;
  sender?: string;
  signature?: string;
}

type ReceivedCall = Header & { serial: number; body: DbusReader };

/** A D-Bus daemon of its own, and on it the notification service of the Desktop Notifications Specification. */
export async function startDesktop(): Promise<Desktop> {
  const folder = mkdtempSync(join(tmpdir(), 'navette-desktop-'));
  const address = `unix:path=${join(folder, 'bus')}`;
  const daemon = spawn('dbus-daemon', ['--session', '--nofork', '--print-address', `--address=${address}`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(daemon.stdout, 'data'); // it prints the address when it listens
  const socket = await authenticate(join(folder, 'bus'));
  const shown: ShownNotification[] = [];
  let [serial, lastId] = [0, 0];

  function send(type: number, header: Header, body = new DbusWriter()): void {
    const fields = new DbusWriter();
    for (const [name, value] of Object.entries(header)) {
      fields
        .align(8)
        .byte(FIELDS[name as keyof Header])
        .signature(TYPES[name] ?? 's');
      if (name === 'replyTo') fields.uint32(value as number);
      else if (name === 'signature') fields.signature(value as string);
      else fields.text(value as string);
    }
    const head = new DbusWriter().byte(0x6c).byte(type).byte(0).byte(1); // little endian, protocol version 1
    head.uint32(body.length).uint32(++serial).uint32(fields.length).append(fields).align(8);
    socket.write(Buffer.concat([head.toBuffer(), body.toBuffer()]));
  }
  const signal = (member: string, signature: string, body: DbusWriter) =>
    send(SIGNAL, { path: PATH, interface: SERVICE, member, signature }, body);

  function hide(id: number): void {
    const known = shown.findIndex((one) => one.id === id);
    if (known >= 0) shown.splice(known, 1);
  }

  function answer({ serial: replyTo, sender, member, body }: ReceivedCall): void {
    const to: Header = { replyTo, ...(sender === undefined ? {} : { destination: sender }) };
    const reply = (signature: string, content: DbusWriter) => send(RETURN, { ...to, signature }, content);
    if (member === 'GetCapabilities') reply('as', new DbusWriter().texts(['body', 'actions']));
    else if (member === 'GetServerInformation') {
      reply('ssss', new DbusWriter().text('test').text('test').text('1').text('1.2'));
    } else if (member === 'Notify') {
      body.text(); // the application
      const id = body.uint32() || ++lastId; // of the notification that it replaces
      body.text(); // its icon
      hide(id);
      shown.push({ id, title: body.text(), body: body.text() });
      reply('u', new DbusWriter().uint32(id));
    } else if (member === 'CloseNotification') {
      const id = body.uint32();
      hide(id);
      send(RETURN, to);
      signal('NotificationClosed', 'uu', new DbusWriter().uint32(id).uint32(CLOSED_BY_CALL));
    } else send(FAILURE, { ...to, error: 'org.freedesktop.DBus.Error.UnknownMethod' });
  }

  let received = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, chunk]);
    for (let size = sizeOf(received); size !== null && size <= received.length; size = sizeOf(received)) {
      const message = received.subarray(0, size);
      received = received.subarray(size);
      if (message.readUInt8(1) === CALL) answer(read(message));
    }
  });
  const bus = { path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus', destination: 'org.freedesktop.DBus' };
  send(CALL, { ...bus, member: 'Hello' });
  send(CALL, { ...bus, member: 'RequestName', signature: 'su' }, new DbusWriter().text(SERVICE).uint32(0));

  return {
    environment: { DBUS_SESSION_BUS_ADDRESS: address },
    shown,
    touch: ({ id }) => signal('ActionInvoked', 'us', new DbusWriter().uint32(id).text('default')),
    async stop() {
      socket.destroy();
      await end(daemon);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Proves by the socket's credentials who this process is, as every D-Bus client does. */
async function authenticate(path: string): Promise<Socket> {
  const socket = createConnection(path);
  const user = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
  socket.write(`\0AUTH EXTERNAL ${user}\r\n`);
  const [reply] = (await once(socket, 'data')) as [Buffer];
  if (!reply.toString().startsWith('OK')) throw new Error(`D-Bus refused: ${reply.toString()}`);
  socket.write('BEGIN\r\n');
  return socket;
}

/** Bytes of the first message; null when not even its size has arrived. */
function sizeOf(bytes: Buffer): number | null {
  if (bytes.length < 16) return null;
  return 16 + Math.ceil(bytes.readUInt32LE(12) / 8) * 8 + bytes.readUInt32LE(4);
}

function read(message: Buffer): ReceivedCall {
  const reader = new DbusReader(message, 12);
  const header: Record<string, string | number> = {};
  const end = reader.uint32() + 16;
  while (reader.at < end) {
    const code = reader.align(8).byte();
    const type = reader.signature();
    const value = type === 'u' ? reader.uint32() : type === 'g' ? reader.signature() : reader.text();
    const name = Object.entries(FIELDS).find(([, known]) => known === code)?.[0];
    if (name) header[name] = value;
  }
  const body = message.subarray(message.length - message.readUInt32LE(4));
  return { ...header, serial: message.readUInt32LE(8), body: new DbusReader(body, 0) };
}

async function end(daemon: ChildProcess): Promise<void> {
  const ended = once(daemon, 'exit');
  daemon.kill();
  await ended;
}
