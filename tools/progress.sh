# Sourced by ./terrace after stamp.sh and maven.sh: assemble_with_progress builds the distribution
# without tests, printing one line a module on stderr; the whole output is kept in distribution/target
# for when something fails.

assemble_with_progress() {
  begin_stamp
  log=$root/distribution/target/assemble.log
  echo "Building Terrace (the first time it fetches its libraries; the log is $log)" >&2
  if ! { run_maven package -DskipTests 2>&1; echo "maven-exit=$?"; } | tee "$log" | awk '
      /^\[INFO\] Building .* \[[0-9]+\/[0-9]+\]$/ { sub(/^\[INFO\] Building /, "  "); print; fflush() }
      /^\[(ERROR|WARNING)\] (\/|Failed)/ && shown < 15 { print; shown++; fflush() }
      /^maven-exit=/ { failed = ($0 != "maven-exit=0"); next }
      { before = last; last = $0 }
      END { if (failed && !shown) { print before; print last }; exit failed }' >&2; then
    rm -f "$begun"
    echo "The build failed; see $log" >&2
    exit 3
  fi
  end_stamp
}
