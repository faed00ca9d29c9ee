# Sourced after java-home.sh: run_maven calls the project's Maven through the wrapper.
# The wrapper's checksum is that of the zip archive; where there is no unzip, the JDK's jar unpacks it.

run_maven() {
  if ! command -v unzip >/dev/null 2>&1; then
    PATH="$root/tools/unzip-with-jdk:$PATH"
    export PATH
  fi
  MAVEN_OPTS="${MAVEN_OPTS:-} -Duser.home=$HOME" \
    "$root/mvnw" -f "$root/pom.xml" --batch-mode --no-transfer-progress "$@"
}
