# Sourced by ./terrace after stamp.sh and maven.sh: assemble_with_progress builds the distribution
# without tests, printing one line a module on stderr; the whole output is kept in distribution/target
# for when something fails.

assemble() { # in a shell of its own: Maven, and all that it starts, with the mark $1
  TERRACE_BUILD=$1
  export TERRACE_BUILD
  ulimit -S -m "$(sh "$root/tools/left-processes.sh" limit "$1")" 2>/dev/null || true
  status=0
  run_maven --activate-profiles assemble --builder smart --threads 1C package -DskipTests 2>&1 || status=$?
  echo "maven-exit=$status"
}

assemble_with_progress() {
  begin_stamp
  log=$root/distribution/target/assemble.log
  echo "Building Terrace (the first time it fetches its libraries; the log is $log)" >&2
  # Whoever kills this command ends its Maven too: a watcher sees to that, in a session of its own.
  mark=$$-$(date +%s)
  own_session=
  ! command -v setsid >/dev/null 2>&1 || own_session=setsid
  $own_session sh "$root/tools/left-processes.sh" watch "$mark" $$ \
    "$(cut -d ' ' -f 22 "/proc/$$/stat" 2>/dev/null)" </dev/null >/dev/null 2>&1 &
  watch=$!
  assembled=yes
  assemble "$mark" | tee "$log" | awk '
      /^\[INFO\] Building .* \[[0-9]+\/[0-9]+\]$/ { sub(/^\[INFO\] Building /, "  "); print; fflush() }
      /^\[(ERROR|WARNING)\] (\/|Failed)/ && shown < 15 { print; shown++; fflush() }
      /^maven-exit=/ { failed = ($0 != "maven-exit=0"); next }
      { before = last; last = $0 }
      END { if (failed && !shown) { print before; print last }; exit failed }' >&2 || assembled=no
  kill -KILL "$watch" 2>/dev/null || true
  wait "$watch" 2>/dev/null || true
  if [ "$assembled" = no ]; then
    rm -f "$begun"
    echo "The build failed; see $log" >&2
    exit 3
  fi
  end_stamp
}
