# Ends the replicas of a manager when the last of the managers of this directory is gone.
# $1: the directory, which holds a file managers/PID with the start time of each manager.
# Standard input: lines "add PID START" and "remove PID" from the manager; its end is the manager's.
trap '' INT TERM HUP
replicas=

start_of() {
  # The 22nd field of stat, counted after the name, which may hold spaces.
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  set -- ${stat##*) }
  [ "$1" != Z ] || return 1
  shift 19
  echo "$1"
}

manager_left() {
  for file in "$directory"/managers/*; do
    [ -f "$file" ] || continue
    if [ "$(start_of "${file##*/}")" = "$(cat "$file" 2>/dev/null)" ]; then
      return 0
    fi
    rm -f "$file"
  done
  return 1
}

directory=$1
while read -r verb pid start; do
  case $verb in
    add) replicas="$replicas $pid:$start" ;;
    remove)
      kept=
      for replica in $replicas; do
        [ "${replica%%:*}" = "$pid" ] || kept="$kept $replica"
      done
      replicas=$kept
      ;;
  esac
done

while manager_left; do
  sleep 0.5
done
for replica in $replicas; do
  pid=${replica%%:*}
  if [ "$(start_of "$pid")" = "${replica##*:}" ]; then
    kill -KILL "$pid" 2>/dev/null
  fi
done
