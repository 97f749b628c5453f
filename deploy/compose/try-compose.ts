/**
 * `npm run test:compose`, as root: starts compose.yaml with Docker on a fresh Debian in a chroot with a network of its own,
 * delivers a shipment through the proxy, kills a process of each role, starts everything again, and stops it. The images of
 * PostgreSQL, Redis and Caddy are built from Debian's packages (stand-ins/), since the test reaches no registry.
 */
import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { builtArchive, builtImage, run, runOnMachine, TEST_DOMAIN, timed, withTestMachine } from '../test-machine.ts';

const PACKAGES = 'docker.io docker-cli docker-compose iptables curl ca-certificates';
const BASE = 'localhost/navette-debian:trixie';
const STAND_INS = [
  'docker.io/library/postgres:17-bookworm',
  'docker.io/library/redis:7-bookworm',
  'docker.io/library/caddy:2',
];

const START_AND_TRY = `
  dockerd --default-ulimit nofile=4096:4096 --default-ulimit nproc=4096:4096 >/var/log/dockerd.log 2>&1 &
  timeout 60 bash -c 'until docker version; do sleep 0.2; done' >/dev/null 2>&1 || { cat /var/log/dockerd.log; exit 1; }
  for image in images/*.tar; do docker load --quiet --input "$image"; done
  tar xzf navette-*.tar.gz
  cd navette-*/deploy/compose

  SECONDS=0
  ./make-env.sh ${TEST_DOMAIN}
  docker compose up --detach --wait --quiet-pull 2>&1 | grep -v ing$ || { docker compose ps --all; docker compose logs --tail 20
    docker compose ps --all --quiet | xargs docker inspect --format '{{.Name}} {{json .State.Health}}'; exit 1; }
  echo "all services healthy after $SECONDS s"
  docker compose cp proxy:/data/caddy/pki/authorities/local/root.crt caddy.crt
  export CURL_CA_BUNDLE=$PWD/caddy.crt
  navette() { docker compose exec -T api navette "$@"; }
  ../first-delivery.sh https://${TEST_DOMAIN} docker compose exec -T api navette
  echo "first delivered shipment after $SECONDS s"
  navette doctor

  echo "== what compose.yaml promises"
  for role in api worker; do
    [[ $(docker compose exec -T $role node -p 'process.getuid()') == 10001 ]]
    ! docker compose exec -T $role node -e 'fs.writeFileSync("/opt/navette/x", "")' 2>/dev/null
  done
  [[ $(docker compose ps --format '{{.Ports}}' | grep -c 0.0.0.0) == 1 ]] # the proxy's
  ! docker compose exec -T redis timeout 3 bash -c 'echo >/dev/tcp/172.30.77.2/443' 2>/dev/null # from stores, nothing beyond
  docker compose exec -T backup sh -c 'ls -l /backups/*.dump'

  echo "== both roles killed"
  for role in api worker; do kill -9 "$(docker inspect --format '{{.State.Pid}}' "$(docker compose ps --quiet $role)")"; done
  SECONDS=0
  timeout 60 bash -c 'until curl -sf https://${TEST_DOMAIN}/readyz >/dev/null; do sleep 0.1; done'
  echo "ready again after $SECONDS s"
  ../first-delivery.sh https://${TEST_DOMAIN} docker compose exec -T api navette

  echo "== down and up: what was stored stays"
  before=$(navette audit)
  docker compose down --timeout 60 2>/dev/null
  SECONDS=0
  docker compose up --detach --wait 2>/dev/null
  echo "up again after $SECONDS s"
  [[ $(navette audit) == "$before" ]]
  echo "$before"
  docker compose stop 2>/dev/null
  for role in api worker; do [[ $(docker inspect --format '{{.State.ExitCode}}' "$(docker compose ps --all --quiet $role)") == 0 ]]; done
  echo "both roles stopped properly"
  kill %1
  wait %1 || true
`;

const archive = builtArchive();
withTestMachine('trixie', (folder) => {
  timed('images of PostgreSQL, Redis and Caddy', 'bash', ['-c', buildStandIns(folder)]);
  mkdirSync(join(folder, 'root/images'));
  for (const image of [builtImage(), ...STAND_INS]) {
    const file = join(folder, 'root/images', `${basename(image).replace(':', '-')}.tar`);
    run('buildah', ['push', '--quiet', image, `docker-archive:${file}:${image}`]);
  }
  cpSync(archive, join(folder, 'root', basename(archive)));
  timed('packages', 'chroot', [
    folder,
    ...['sh', '-c', `DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ${PACKAGES}`],
  ]);
  runOnMachine(folder, 'the whole trial', START_AND_TRY);
});

function buildStandIns(base: string): string {
  const targets = STAND_INS.map((image) => {
    const target = basename(image).replace(/:.*/, '');
    return `buildah bud --quiet --isolation chroot --layers --format docker --build-arg BASE=${BASE} \\
      --target ${target} --tag ${image} ${join(import.meta.dirname, 'stand-ins')} >/dev/null`;
  });
  return `
    set -euo pipefail
    if [[ ! $(buildah images --quiet --filter reference=${BASE}) ]]; then
      container=$(buildah from scratch)
      buildah add --quiet "$container" ${base} / >/dev/null
      buildah commit --quiet --rm "$container" ${BASE} >/dev/null
    fi
    ${targets.join('\n    ')}
  `;
}
