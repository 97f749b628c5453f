#!/usr/bin/env bash
# Replaces systemctl where systemd is not PID 1, such as a chroot: starts the ExecStart of a unit with its user,
# environment and state directory. It applies no hardening option. Only try-systemd.ts uses it.
set -euo pipefail

state=/run/units
mkdir -p "$state"

find_unit() { # navette@api -> /etc/systemd/system/navette@.service
  local name=${1%.service}
  [[ $name == *@* ]] && name=${name%%@*}@
  local own=/etc/systemd/system/$name.service
  if [[ -f $own ]]; then echo "$own"; else echo "/lib/systemd/system/$name.service"; fi
}

values() { sed -n "s/^$2=//p" "$1" | sed "s/%i/$instance/g"; }

start() {
  local unit=$1 instance=${1##*@} file user
  [[ $unit == *.timer ]] && return
  if [[ $unit == postgresql ]]; then # its unit only pulls in one unit per cluster, which a generator makes
    read -r version cluster < <(pg_lsclusters -h | awk 'NR == 1 { print $1, $2 }')
    pg_ctlcluster --skip-systemctl-redirect "$version" "$cluster" start || (($? == 2)) # 2: it runs already
    return
  fi
  file=$(find_unit "$unit")
  user=$(values "$file" User)
  (
    set -a
    while read -r name; do [[ $name == -* && ! -f ${name#-} ]] || . "${name#-}"; done < <(values "$file" EnvironmentFile)
    while read -r assignment; do export "${assignment?}"; done < <(values "$file" Environment)
    directory=$(values "$file" StateDirectory)
    [[ $directory ]] && install -d -o "$user" -g "$user" "/var/lib/$directory"
    HOME=$(getent passwd "$user" | cut -d: -f6)
    read -ra command < <(values "$file" ExecStart)
    cd /
    command=(setpriv --reuid="$user" --regid="$user" --init-groups "${command[@]}")
    if [[ $(values "$file" Type) == oneshot ]]; then exec "${command[@]}"; fi
    setsid "${command[@]}" >>"/var/log/$unit.log" 2>&1 </dev/null &
    echo $! >"$state/$unit"
  )
}

stop() {
  [[ -f $state/$1 ]] || return 0
  local pid
  pid=$(<"$state/$1")
  kill "$pid" 2>/dev/null || true
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
  rm "$state/$1"
}

action=$1
shift
[[ ${1:-} == --now ]] && { action=start; shift; }
for unit in "$@"; do
  case $action in
    start) start "$unit" ;;
    stop) stop "$unit" ;;
    restart) stop "$unit"; start "$unit" ;;
    enable | daemon-reload) ;;
  esac
done
