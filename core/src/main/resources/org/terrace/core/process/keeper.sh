# Ends the processes that its owner started once the owner is gone, however it ended.
# Standard input: lines "add PID START", "session PID START", "remove PID", "directory PATH", "write PATH TEXT", "restore PATH", "holders PATH", "done".
# When it ends, so do they; before that, all processes that files of the holders' directory name.
# $1: the mark that stands in the environment of every process that is kept.
trap '' HUP INT QUIT TERM
mark=$1
roots=
leaders=" "
directories=
writes=
notes=
holders=
quiet_wanted=4

describe() { # sets parent, session and start of the process $1; false when it is dead
  { IFS= read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
  set -- ${line##*) }
  parent=$2 session=$4 start=${20}
  [ "$1" != Z ] && [ "$1" != X ]
}

holder_left() {
  [ -n "$holders" ] || return 1
  for file in "$holders"/*; do
    [ -f "$file" ] || continue
    if describe "${file##*/}" && [ "$start" = "$(cat "$file" 2>/dev/null)" ]; then
      return 0
    fi
    rm -f "$file"
  done
  return 1
}

of_ended_root() { # whether the process described last is in the session of a root that has ended
  case $sessions in *" $session:"*) ;; *) return 1 ;; esac
  began=${sessions#*" $session:"}
  [ "$start" -ge "${began%% *}" ]
}

sweep() { # kills what is left; false when nothing is
  members=" "
  sessions=" "
  for root in $roots; do
    # The start time tells a process from another that got its number later.
    start=
    if describe "${root%:*}" && [ "$start" = "${root#*:}" ]; then
      kill -STOP "${root%:*}" 2>/dev/null # what is stopped starts no further process
      members="$members${root%:*} "
    elif [ -z "$start" ] || [ "$start" = "${root#*:}" ]; then
      # Its session may have outlived it: no other process gets its number before that is empty.
      case $leaders in *" $root "*) sessions="$sessions$root " ;; esac
    fi
  done
  for environ in $(grep -lasF "$mark" /proc/[0-9]*/environ 2>/dev/null); do
    pid=${environ#/proc/}
    pid=${pid%/environ}
    case $members in *" $pid "*) ;; *) describe "$pid" && members="$members$pid " ;; esac
  done
  grown=yes
  [ "$members$sessions" != "  " ] || grown=no
  while [ "$grown" = yes ]; do
    grown=no
    for directory in /proc/[0-9]*; do
      pid=${directory#/proc/}
      case $members in *" $pid "*) continue ;; esac
      describe "$pid" || continue
      case $members in
        *" $parent "* | *" $session "*) members="$members$pid " grown=yes ;;
        *) of_ended_root && members="$members$pid " grown=yes ;;
      esac
    done
  done
  [ "$members" != " " ] || return 1
  kill -KILL $members 2>/dev/null
  return 0
}

while IFS=' ' read -r word first second; do
  case $word in
    add) roots="$roots $first:$second" ;;
    session) # its first process, of which others live on
      roots="$roots $first:$second"
      leaders="$leaders$first:$second "
      ;;
    remove)
      left=
      for root in $roots; do
        [ "${root%:*}" = "$first" ] || left="$left $root"
      done
      roots=$left
      ;;
    directory) directories="$directories $first" ;;
    write)
      writes="$writes$first $second
"
      ;;
    restore)
      notes="$notes$first${second:+ $second}
"
      ;;
    holders) holders=$first${second:+ $second} ;;
    done) quiet_wanted=1 ;; # the owner has ended its processes itself: nothing is on its way
  esac
done
while holder_left; do
  sleep 0.5 2>/dev/null || sleep 1
done
# A limit in which what is to end could not end is lifted before.
printf '%s' "$writes" | while IFS=' ' read -r file text; do
  [ -f "$file" ] && printf '%s\n' "$text" 2>/dev/null >"$file"
done
# A process that was being started when the owner died gets its mark in a moment.
tries=0
quiet=0
while [ $tries -lt 50 ] && [ $quiet -lt $quiet_wanted ]; do
  tries=$((tries + 1))
  if sweep; then
    quiet=0
    sleep 0.1 2>/dev/null || sleep 1
  else
    quiet=$((quiet + 1))
    [ $quiet -ge $quiet_wanted ] || sleep 0.3 2>/dev/null || sleep 1
  fi
done
for directory in $directories; do
  rmdir "$directory" 2>/dev/null
done
printf '%s' "$notes" | while IFS= read -r note; do
  { IFS= read -r value && IFS= read -r file; } 2>/dev/null <"$note" || continue
  rm -f "$note"
  grep -lsxF -e "$file" "${note%-[0-9]*-[0-9]*-[0-9]*}"-* >/dev/null 2>&1 && continue
  printf '%s\n' "$value" 2>/dev/null >"$file"
done
exit 0
