# Finds what a build left behind: the processes that carry its mark, and those that descend from them
# or are in a session of theirs. The mark is in their environment, and it is their limit of resident
# memory, which Linux inherits and does not heed: that stays with a process whose environment,
# session and parent are gone.
#   left-processes.sh limit MARK         prints that limit in KiB, one that no other build has
#   left-processes.sh end MARK BUILD     names them with their command lines, ends them, and ends
#                                        with status 1 if there were any; waits some seconds before,
#                                        as what ends when its parent does is not left behind; says
#                                        what it could not look for
#   left-processes.sh watch MARK BUILD START   ends them when the process BUILD, whose start time
#                                        is START, is gone without a word
# MARK is the process id of the build and its second, with a hyphen between. BUILD carries the mark
# too and is not counted.
verb=$1
mark=$2
build=${3:-}
begun=${4:-}
# More than any machine has: what does read it (sort) finds no bound in it.
limit_kib=$((10000000000000 + ${mark#*-} % 1000000 * 10000000 + ${mark%-*}))
limit_line="^Max resident set  *$((limit_kib * 1024)) "

describe() { # sets parent, session and start of the process $1; false when it is dead
  { IFS= read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
  set -- ${line##*) }
  parent=$2 session=$4 start=${20}
  [ "$1" != Z ] && [ "$1" != X ]
}

marked() { # prints a file in the folder of each process that carries the mark
  grep -lasF "TERRACE_BUILD=$mark" /proc/[0-9]*/environ
  grep -ls "$limit_line" /proc/[0-9]*/limits
} 2>/dev/null

find_left() { # sets left to the processes, each between blanks; false when there are none
  left=" "
  # The shells that this script starts for its own pipes come and go.
  for file in $(marked); do
    pid=${file#/proc/}
    pid=${pid%/*}
    case " $build $$$left" in *" $pid "*) continue ;; esac
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

if [ "$verb" = limit ]; then
  echo "$limit_kib"
  exit
elif [ ! -d /proc/self/ ]; then
  [ "$verb" != end ] ||
    echo "Whether this build left processes behind was not checked: there is no /proc here." >&2
  exit 0
fi
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
    grep -qs "$limit_line" "/proc/$build/limits" ||
      echo "This build could not mark its processes by a limit: those that it left behind without their environment, parent and session were not looked for." >&2
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
    # What is killed may just have started another.
    tries=0
    while [ "$left" != " " ] && [ $tries -lt 20 ]; do
      kill -KILL $left 2>/dev/null
      sleep 0.1 2>/dev/null || sleep 1
      tries=$((tries + 1))
      find_left || true
    done
    exit 1
    ;;
esac
