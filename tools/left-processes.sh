# Finds what a build left behind: the processes that carry its mark in their environment, and those
# that descend from them or are in a session of theirs.
#   left-processes.sh end MARK BUILD     names them with their command lines, ends them, and ends
#                                        with status 1 if there were any; waits some seconds before,
#                                        as what ends when its parent does is not left behind
#   left-processes.sh watch MARK BUILD START   ends them when the process BUILD, whose start time
#                                        is START, is gone without a word
# BUILD carries the mark too and is not counted.
verb=$1
mark=$2
build=$3
begun=${4:-}

describe() { # sets parent, session and start of the process $1; false when it is dead
  { IFS= read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
  set -- ${line##*) }
  parent=$2 session=$4 start=${20}
  [ "$1" != Z ] && [ "$1" != X ]
}

find_left() { # sets left to the processes, each between blanks; false when there are none
  left=" "
  # The shells that this script starts for its own pipes come and go.
  for environ in $(grep -lasF "TERRACE_BUILD=$mark" /proc/[0-9]*/environ 2>/dev/null); do
    pid=${environ#/proc/}
    pid=${pid%/environ}
    case " $build $$ " in *" $pid "*) continue ;; esac
    describe "$pid" && [ "$parent" != $$ ] && left="$left$pid "
  done
  grown=yes
  while [ "$grown" = yes ]; do
    grown=no
    for directory in /proc/[0-9]*; do
      pid=${directory#/proc/}
      case " $build $$$left" in *" $pid "*) continue ;; esac
      describe "$pid" || continue
      [ "$parent" != $$ ] || continue
      case $left in
        *" $parent "* | *" $session "*) left="$left$pid " grown=yes ;;
      esac
    done
  done
  [ "$left" != " " ]
}

[ -d /proc/self ] || exit 0
case $verb in
  watch)
    trap '' HUP INT QUIT TERM
    # Its start time was read by the build itself: it may be gone before it is looked at here.
    while describe "$build" && [ "$start" = "$begun" ]; do
      sleep 1
    done
    tries=0
    while [ $tries -lt 3 ]; do
      find_left && kill -KILL $left 2>/dev/null
      tries=$((tries + 1))
      sleep 1
    done
    ;;
  end)
    patience=20
    while find_left && [ $patience -gt 0 ]; do
      patience=$((patience - 1))
      sleep 0.1 2>/dev/null || sleep 1
    done
    [ "$left" != " " ] || exit 0
    echo "Processes that this build started and left behind, ended now:" >&2
    for pid in $left; do
      printf '  %s %s\n' "$pid" "$(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null)" >&2
    done
    kill -KILL $left 2>/dev/null
    exit 1
    ;;
esac
