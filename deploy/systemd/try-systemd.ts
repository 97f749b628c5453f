/**
 * `npm run test:systemd`, as root: installs the archive of `npm run image` on a fresh Debian in a chroot with a network of
 * its own, delivers a shipment through the proxy, dumps the database, installs again, and stops. systemd is not PID 1
 * there: run-units.sh starts the units. Their hardening options are only checked by systemd-analyze.
 */
import { cpSync, globSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { builtArchive, run, runOnMachine, TEST_DOMAIN, timed, withTestMachine } from '../test-machine.ts';

const MOST_EXPOSED = 20; // of 100; systemd calls this "OK"
const PACKAGES = 'postgresql redis-server caddy curl openssl ca-certificates';

const INSTALL_AND_TRY = `
  tar xzf navette-*.tar.gz
  SECONDS=0
  navette-*/deploy/systemd/install.sh ${TEST_DOMAIN}
  echo "installed after $SECONDS s"
  export CURL_CA_BUNDLE=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
  timeout 60 bash -c 'until curl -sf https://${TEST_DOMAIN}/readyz; do sleep 0.2; done'
  /opt/navette/deploy/first-delivery.sh https://${TEST_DOMAIN}
  echo "first delivered shipment after $SECONDS s"
  systemctl start navette-backup
  navette doctor
  first=$(sha256sum /etc/navette/navette.env)
  navette-*/deploy/systemd/install.sh ${TEST_DOMAIN}
  [[ $first == "$(sha256sum /etc/navette/navette.env)" ]]
  navette audit
  systemctl stop navette@api
  systemctl stop navette@worker
  tail -qn1 /var/log/navette@api.log /var/log/navette@worker.log | grep -c '"msg":"stopped"' | grep -qx 2
  echo "both roles stopped properly"
`;

const archive = builtArchive();
withTestMachine('bookworm', (folder) => {
  analyzeUnits(folder);
  mkdirSync(join(folder, 'usr/local/sbin'), { recursive: true });
  cpSync(join(import.meta.dirname, 'run-units.sh'), join(folder, 'usr/local/sbin/systemctl'));
  cpSync(archive, join(folder, 'root', basename(archive)));
  const download = `apt-get install -y -qq --no-install-recommends --download-only ${PACKAGES}`;
  timed('download of packages', 'chroot', [folder, 'sh', '-c', download]);
  runOnMachine(folder, 'the whole installation', INSTALL_AND_TRY);
});

function analyzeUnits(folder: string): void {
  for (const unit of globSync('*.service', { cwd: import.meta.dirname })) {
    const instance = join(folder, 'tmp', unit.replace('@', '@api')); // a template alone is refused
    cpSync(join(import.meta.dirname, unit), instance);
    run('systemd-analyze', ['security', '--offline=true', `--threshold=${MOST_EXPOSED}`, '--no-pager', instance]);
  }
}
