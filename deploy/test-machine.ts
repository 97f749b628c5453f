import { spawnSync } from 'node:child_process';
import { chmodSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** curl resolves it to loopback, and Caddy signs it itself. */
export const TEST_DOMAIN = 'navette.localhost';

/** The name that `npm run image` gives its image. */
export function builtImage(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../server/package.json'), 'utf8'));
  return `localhost/navette:${version}`;
}

/** The archive that `npm run image` built. */
export function builtArchive(): string {
  const [archive] = globSync(join(import.meta.dirname, '../dist/image/navette-*.tar.gz'));
  if (!archive) throw new Error('run `npm run image` first');
  return archive;
}

/** A fresh Debian in a folder, which packages start nothing in; removed when `use` has ended. */
export function withTestMachine(suite: string, use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'navette-debian-'));
  chmodSync(folder, 0o755); // every user of the machine enters it
  try {
    timed('debootstrap of the test machine', 'debootstrap', ['--variant=minbase', suite, folder]);
    writeFileSync(join(folder, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a script on the machine, with a network of its own that reaches nothing else. */
export function runOnMachine(folder: string, what: string, script: string): void {
  const enter = `
    set -euo pipefail
    mount --make-rprivate /
    mount --bind ${folder} ${folder}
    mount -t proc proc ${folder}/proc
    mount --rbind /sys ${folder}/sys
    mount --rbind /dev ${folder}/dev
    ip link set lo up
    echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start # Caddy's unit has the capability instead
    cd ${folder}
    pivot_root . mnt # unlike in a chroot, containers can have roots of their own
    umount --lazy /mnt
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \\
      bash -c '${`set -euo pipefail\ncd /root\n${script}`.replaceAll("'", `'\\''`)}'
  `;
  timed(what, 'unshare', ['--net', '--mount', '--pid', '--fork', '--kill-child', 'bash', '-c', enter]);
}

export function timed(what: string, command: string, args: string[]): void {
  const started = performance.now();
  run(command, args);
  console.log(`${what}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

export function run(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}
