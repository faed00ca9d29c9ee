# Ends every process of a trial once the process that runs the trial is gone, however it ended.
# Standard input: lines "add PID START", "remove PID", "directory PATH"; when it ends, so do they.
# $1: the mark that stands in the environment of every process of the trial.
trap '' HUP INT QUIT TERM
mark=$1
roots=
directories=

describe() { # sets parent, session and start of the process $1; false when it is dead
  { IFS= read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
  set -- ${line##*) }
  parent=$2 session=$4 start=${20}
  [ "$1" != Z ] && [ "$1" != X ]
}

sweep() { # kills what is left of the trial; false when nothing is
  members=" "
  for root in $roots; do
    # The start time tells a process from another that got its number later.
    if describe "${root%:*}" && [ "$start" = "${root#*:}" ]; then
      kill -STOP "${root%:*}" 2>/dev/null # what is stopped starts no further process
      members="$members${root%:*} "
    fi
  done
  grown=yes
  while [ "$grown" = yes ]; do
    grown=no
    for directory in /proc/[0-9]*; do
      pid=${directory#/proc/}
      case $members in *" $pid "*) continue ;; esac
      describe "$pid" || continue
      case $members in
        *" $parent "* | *" $session "*) members="$members$pid " grown=yes ;;
      esac
    done
  done
  for environ in $(grep -lasF "TERRACE_TRIAL=$mark" /proc/[0-9]*/environ 2>/dev/null); do
    pid=${environ#/proc/}
    pid=${pid%/environ}
    case $members in *" $pid "*) ;; *) describe "$pid" && members="$members$pid " ;; esac
  done
  [ "$members" != " " ] || return 1
  kill -KILL $members 2>/dev/null
  return 0
}

while read -r word first second; do
  case $word in
    add) roots="$roots $first:$second" ;;
    remove)
      left=
      for root in $roots; do
        [ "${root%:*}" = "$first" ] || left="$left $root"
      done
      roots=$left
      ;;
    directory) directories="$directories $first" ;;
  esac
done
tries=0
while [ $tries -lt 50 ] && sweep; do
  tries=$((tries + 1))
  sleep 0.1 2>/dev/null || sleep 1
done
for directory in $directories; do
  rmdir "$directory" 2>/dev/null
done
exit 0
