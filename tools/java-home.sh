# Sourced by ./build and ./terrace: sets and exports JAVA_HOME to a JDK 25 or newer, or ends the
# caller with one sentence that says what is missing. An older Java that comes first is passed over.

java_major() { # prints the major version of the JDK at $1, or nothing when it is not a JDK
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 0
  version=
  if [ -r "$1/release" ]; then
    version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
  fi
  if [ -z "$version" ]; then
    version=$("$1/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
  fi
  printf '%s' "$version"
}

is_recent_jdk() {
  major=$(java_major "$1")
  [ -n "$major" ] && [ "$major" -ge 25 ]
}

java_home_of() { # prints the home of the java command $1, through its symbolic links
  resolved=$(readlink -f "$1" 2>/dev/null) || return 0
  dirname "$(dirname "$resolved")"
}

find_java_home() {
  for home in "${TERRACE_JAVA_HOME:-}" "${JAVA_HOME:-}"; do
    if [ -n "$home" ] && is_recent_jdk "$home"; then
      printf '%s' "$home"
      return 0
    fi
  done
  old_ifs=$IFS
  IFS=:
  for directory in $PATH; do
    IFS=$old_ifs
    if [ -x "$directory/java" ]; then
      home=$(java_home_of "$directory/java")
      if [ -n "$home" ] && is_recent_jdk "$home"; then
        printf '%s' "$home"
        return 0
      fi
    fi
  done
  IFS=$old_ifs
  for home in /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* /opt/*jdk* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/*; do
    if [ -d "$home" ] && is_recent_jdk "$home"; then
      printf '%s' "$home"
      return 0
    fi
  done
  return 1
}

if ! JAVA_HOME=$(find_java_home); then
  echo "Terrace needs a JDK 25 or newer, and none was found in TERRACE_JAVA_HOME, JAVA_HOME, the path or the usual places: install one (Debian: a package such as temurin-25-jdk or openjdk-25-jdk) or set TERRACE_JAVA_HOME to its folder." >&2
  exit 3
fi
export JAVA_HOME

# Java takes the home folder from the user database, where an account of a service or container often
# has none; the shell's HOME, or a folder of the user's own among the temporary ones, serves then.
if [ ! -d "${HOME:-}" ] || [ ! -w "${HOME:-}" ]; then
  HOME=${TMPDIR:-/tmp}/terrace-home-$(id -u)
  mkdir -p -m 700 "$HOME"
  export HOME
fi
