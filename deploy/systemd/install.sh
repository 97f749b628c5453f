#!/usr/bin/env bash
# Installs Navette on Debian 12 or newer, with PostgreSQL, Redis and Caddy on the same machine:
#
#   tar xzf navette-0.1.0-linux-x64.tar.gz
#   sudo navette-0.1.0/deploy/systemd/install.sh navette.example.org
#
# Run from a newer release, it upgrades: settings and secrets stay, and so does the previous release in /opt.
set -euo pipefail

domain=${1:?usage: install.sh DOMAIN}
release=$(cd "$(dirname "$0")/../.." && pwd)
packages=(postgresql redis-server caddy curl openssl ca-certificates)
export DEBIAN_FRONTEND=noninteractive

step() { echo "== $*"; }
secret() { openssl rand -hex 32; }
postgres() { (cd / && runuser -u postgres -- "$@"); }

install_packages() {
  step "packages: ${packages[*]}"
  local install=(apt-get install -y -qq --no-install-recommends "${packages[@]}")
  "${install[@]}" >/dev/null || { apt-get update -qq && "${install[@]}" >/dev/null; }
}

# A running process keeps the files of its own release: /opt/navette is a link.
install_release() {
  . "$release/build.env"
  local target=/opt/navette-$NAVETTE_VERSION-${NAVETTE_BUILT_AT//[^0-9]/}
  step "release: $target"
  if [[ ! -d $target ]]; then
    cp -r "$release" "$target.part"
    chown -R root:root "$target.part"
    chmod -R u=rwX,go=rX "$target.part"
    mv "$target.part" "$target"
  fi
  ln -sfn "$target" /opt/navette
  install -m 755 /opt/navette/deploy/systemd/navette.sh /usr/local/bin/navette
  install -m 644 /opt/navette/deploy/systemd/*.service /opt/navette/deploy/systemd/*.timer /etc/systemd/system/
  systemctl daemon-reload
}

create_user() {
  id navette &>/dev/null || useradd --system --user-group --home-dir /var/lib/navette --shell /usr/sbin/nologin navette
}

# PostgreSQL knows the service by its system user, over its socket: there is no password.
prepare_postgres() {
  step "PostgreSQL: role and database navette"
  systemctl enable --now postgresql
  timeout 60 bash -c 'until pg_isready -q; do sleep 0.2; done'
  [[ $(postgres psql -qAtc "select 1 from pg_roles where rolname = 'navette'") ]] || postgres createuser navette
  [[ $(postgres psql -qAtc "select 1 from pg_database where datname = 'navette'") ]] ||
    postgres createdb --owner navette --encoding UTF8 --locale C.UTF-8 --template template0 navette
}

prepare_redis() {
  step "Redis: password, no files"
  if [[ ! -f /etc/redis/navette.conf ]]; then
    install -m 640 -o root -g redis /dev/null /etc/redis/navette.conf
    printf 'requirepass %s\nsave ""\nappendonly no\n' "$(secret)" >/etc/redis/navette.conf
    echo 'include /etc/redis/navette.conf' >>/etc/redis/redis.conf
  fi
  systemctl enable redis-server
  systemctl restart redis-server
}

write_settings() {
  install -d -m 750 -o root -g navette /etc/navette
  [[ -f /etc/navette/navette.env ]] && return
  step "settings: /etc/navette/navette.env"
  install -m 640 -o root -g navette /dev/null /etc/navette/navette.env
  cat >/etc/navette/navette.env <<SETTINGS
# Settings of both roles; README.md lists all of them. Quote values that contain spaces.
# Keep a copy of this file apart from the backups: without these keys, webhook secrets and second factors are lost.
DATABASE_URL=postgres://navette@localhost/navette?host=/var/run/postgresql
REDIS_URL=redis://:$(awk '/^requirepass/ { print $2 }' /etc/redis/navette.conf)@127.0.0.1:6379
PUBLIC_URL=https://$domain
TRUSTED_PROXIES=127.0.0.1,::1
LABEL_STORE=/var/lib/navette/labels
PROOF_STORE=/var/lib/navette/proofs
LINK_SECRETS=$(secret)
WEBHOOK_SECRET_KEYS=$(secret)
SECOND_FACTOR_KEYS=$(secret)
SETTINGS
  echo 'OPERATOR_PORT=9464' >/etc/navette/api.env
  echo 'OPERATOR_PORT=9465' >/etc/navette/worker.env
}

prepare_proxy() {
  step "proxy: https://$domain"
  sed -e "s/{\$NAVETTE_DOMAIN}/$domain/" -e 's/{$NAVETTE_UPSTREAM}/127.0.0.1:3000/' /opt/navette/deploy/Caddyfile >/etc/caddy/Caddyfile
  systemctl enable caddy
  systemctl restart caddy
}

start_services() {
  step "migrate and start"
  navette migrate
  systemctl enable navette@api navette@worker
  systemctl restart navette@api navette@worker
  systemctl enable --now navette-backup.timer
  timeout 120 bash -c 'until curl -sf http://127.0.0.1:3000/readyz; do sleep 0.2; done'
  echo
}

((EUID == 0)) || { echo "run it as root" >&2; exit 1; }
install_packages
create_user
install_release
prepare_postgres
prepare_redis
write_settings
start_services
prepare_proxy
step "running: $(navette --version) at https://$domain"
echo "Try it: sudo /opt/navette/deploy/first-delivery.sh https://$domain"
