#!/bin/sh
# The operator's command, with the settings and the user of the services: `sudo navette doctor`.
set -ae
. /opt/navette/build.env
. /etc/navette/navette.env
exec setpriv --reuid=navette --regid=navette --clear-groups --no-new-privs \
  /opt/navette/bin/node /opt/navette/server/bin/navette.js "$@"
