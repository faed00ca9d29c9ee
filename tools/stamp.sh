# Sourced by ./build and ./terrace: the stamp that tells whether the jars of the distribution are made
# of the present sources. It bears the time at which the build of those jars began, so that what is
# saved during a build is newer, and holds a sum of the list of the sources, so that what is removed,
# or moved in with an older time, is seen too.
stamp=$root/distribution/target/terrace/built
begun=$root/distribution/target/built.$$

find_sources() { # calls find with the actions given, for what decides what the jars hold
  (cd "$root" && find . \( -name target ! -path '*/src/*' -o -name .git \) -prune -o -type f \
    \( -path '*/src/main/*' -o -name pom.xml -o -path './.mvn/*' -o -path ./mvnw \
    -o -path ./tools/maven.sh -o -path ./tools/progress.sh \) "$@")
}

sum_of_sources() {
  find_sources -print | LC_ALL=C sort | cksum
}

is_stamp_true() {
  [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$(sum_of_sources)" ] &&
    [ -z "$(find_sources -newer "$stamp" -print -quit)" ]
}

begin_stamp() { # before a build: until one of all has passed, its jars are of no one state
  mkdir -p "${stamp%/*}"
  is_stamp_true || rm -f "$stamp"
  sum_of_sources >"$begun"
  # The time of a file is that of the kernel's last tick, milliseconds ago: what is saved in the same
  # tick would be as old as the stamp, not newer, so the next tick is awaited (on some file systems
  # two seconds, on a network's perhaps never).
  waited=0
  while [ $waited -lt 2000 ]; do
    echo >"$begun.now"
    [ -z "$(find "$begun.now" -newer "$begun")" ] || break
    waited=$((waited + 1))
  done
  rm -f "$begun.now"
}

end_stamp() { # after a build of all, when it passed
  mv -f "$begun" "$stamp"
}
