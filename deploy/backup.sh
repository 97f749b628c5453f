#!/bin/sh
# Dumps the database that PGHOST, PGUSER, PGPASSWORD and PGDATABASE name, and deletes dumps older than BACKUP_KEEP_DAYS.
set -eu
umask 077
directory=${BACKUP_DIRECTORY:?names the folder of the dumps}
dump=$directory/navette-$(date -u +%Y%m%dT%H%M%SZ).dump

pg_dump --format=custom --file="$dump.part"
pg_restore --list "$dump.part" >/dev/null # a truncated file is not a backup
mv "$dump.part" "$dump"
find "$directory" -name 'navette-*.dump*' -mtime +"${BACKUP_KEEP_DAYS:-14}" -delete
echo "$dump $(wc -c <"$dump") bytes"
