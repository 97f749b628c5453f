#!/bin/sh
# Writes .env with a secret of its own for each use, and an empty settings.env: `./make-env.sh navette.example.org`.
# NAVETTE_IMAGE names the image; the default is the one that `npm run image` builds.
set -eu
umask 077
domain=${1:?usage: make-env.sh DOMAIN}
cd "$(dirname "$0")"
[ ! -e .env ] || { echo ".env exists: its secrets are in use" >&2; exit 1; }

secret() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' ../../server/package.json)

cat >.env <<ENV
# Keep a copy apart from the backups: without these keys, webhook secrets and second factors are lost.
COMPOSE_PROJECT_NAME=navette
NAVETTE_DOMAIN=$domain
NAVETTE_IMAGE=${NAVETTE_IMAGE:-localhost/navette:$version}
POSTGRES_PASSWORD=$(secret)
REDIS_PASSWORD=$(secret)
LINK_SECRETS=$(secret)
WEBHOOK_SECRET_KEYS=$(secret)
SECOND_FACTOR_KEYS=$(secret)
ENV
[ -e settings.env ] || echo "# Further settings of Navette, such as MAIL_URL=smtps://…; README.md lists them." >settings.env
