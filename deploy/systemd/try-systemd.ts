/**
 * `npm run test:systemd`, as root: installs the archive of `npm run image` on a fresh Debian in a chroot with a network of
 * its own, delivers a shipment through the proxy, dumps the database, installs again, and stops. systemd is not PID 1
 * there: run-units.sh starts the units. Their hardening options are only checked by systemd-analyze.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const MOST_EXPOSED = 20; // of 100; systemd calls this "OK"
const DOMAIN = 'navette.localhost'; // curl resolves it to loopback, and Caddy signs it itself

const [archive] = globSync(join(ROOT, 'dist/image/navette-*.tar.gz'));
if (!archive) throw new Error('run `npm run image` first');
const folder = mkdtempSync(join(tmpdir(), 'navette-debian-'));
chmodSync(folder, 0o755); // every user of the machine enters it
try {
  timed('debootstrap of the test machine', 'debootstrap', ['--variant=minbase', 'bookworm', folder]);
  analyzeUnits();
  prepareMachine(archive);
  const packages = 'postgresql redis-server caddy curl openssl ca-certificates';
  const download = `apt-get install -y -qq --no-install-recommends --download-only ${packages}`;
  timed('download of packages', 'chroot', [folder, 'sh', '-c', download]);
  timed('the whole installation', 'unshare', [
    '--net',
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    'bash',
    '-c',
    installAndTry(folder),
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The machine of the test: what an operator has, and a systemctl that works without systemd. */
function prepareMachine(file: string): void {
  writeFileSync(join(folder, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n'); // packages start nothing
  chmodSync(join(folder, 'usr/sbin/policy-rc.d'), 0o755);
  mkdirSync(join(folder, 'usr/local/sbin'), { recursive: true });
  cpSync(join(import.meta.dirname, 'run-units.sh'), join(folder, 'usr/local/sbin/systemctl'));
  cpSync(file, join(folder, 'root', basename(file)));
}

function analyzeUnits(): void {
  for (const unit of globSync('*.service', { cwd: import.meta.dirname })) {
    const instance = join(folder, 'tmp', unit.replace('@', '@api')); // a template alone is refused
    cpSync(join(import.meta.dirname, unit), instance);
    run('systemd-analyze', ['security', '--offline=true', `--threshold=${MOST_EXPOSED}`, '--no-pager', instance]);
  }
}

function installAndTry(root: string): string {
  const inside = `
    set -euo pipefail
    cd /root
    tar xzf navette-*.tar.gz
    SECONDS=0
    navette-*/deploy/systemd/install.sh ${DOMAIN}
    echo "installed after $SECONDS s"
    export CURL_CA_BUNDLE=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
    timeout 60 bash -c 'until curl -sf https://${DOMAIN}/readyz; do sleep 0.2; done'
    /opt/navette/deploy/first-delivery.sh https://${DOMAIN}
    echo "first delivered shipment after $SECONDS s"
    systemctl start navette-backup
    navette doctor
    first=$(sha256sum /etc/navette/navette.env)
    navette-*/deploy/systemd/install.sh ${DOMAIN}
    [[ $first == "$(sha256sum /etc/navette/navette.env)" ]]
    navette audit
    systemctl stop navette@api
    systemctl stop navette@worker
    tail -qn1 /var/log/navette@api.log /var/log/navette@worker.log | grep -c '"msg":"stopped"' | grep -qx 2
    echo "both roles stopped properly"
  `;
  return `
    set -euo pipefail
    mount --make-rprivate /
    mount -t proc proc ${root}/proc
    mount --rbind /dev ${root}/dev
    ip link set lo up
    echo 0 >/proc/sys/net/ipv4/ip_unprivileged_port_start # Caddy's unit has the capability instead
    exec chroot ${root} env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root bash -c '${inside.replaceAll("'", `'\\''`)}'
  `;
}

function timed(what: string, command: string, args: string[]): void {
  const started = performance.now();
  run(command, args);
  console.log(`${what}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

function run(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}
