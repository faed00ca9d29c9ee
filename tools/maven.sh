# Sourced after java-home.sh: run_maven calls the project's Maven through the wrapper, exec_maven
# calls it in the place of this shell, by way of the command $run_with if that is set.
# The wrapper's checksum is that of the zip archive; where there is no unzip, the JDK's jar unpacks it.

exec_maven() {
  if ! command -v unzip >/dev/null 2>&1; then
    PATH="$root/tools/unzip-with-jdk:$PATH"
    export PATH
  fi
  MAVEN_OPTS="${MAVEN_OPTS:-} -Duser.home=$HOME"
  export MAVEN_OPTS
  exec ${run_with:-} "$root/mvnw" -f "$root/pom.xml" --batch-mode --no-transfer-progress "$@"
}

run_maven() {
  (exec_maven "$@")
}
