#!/bin/sh
# Runs a measuring program that lies among the tests of a module, for example ten minutes of the
# fault detector on a machine that is kept 90 % busy (status 1 if a live process was declared failed):
#   tools/run-test-program.sh runtime/control org.terrace.control.detector.BusyDetection 600 90
#   tools/run-test-program.sh runtime/invocation org.terrace.invocation.server.FailOverMain flight 20
set -eu
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
if [ $# -lt 2 ]; then
  echo "usage: tools/run-test-program.sh MODULE CLASS [ARGUMENT]..." >&2
  exit 2
fi
. "$root/tools/java-home.sh"
. "$root/tools/maven.sh"
module=$1
shift
run_maven -q --projects "$module" --also-make test-compile dependency:build-classpath \
  -Dmdep.outputFile=target/test-classpath -Dmdep.includeScope=test >&2
exec "$JAVA_HOME/bin/java" -XX:+UseSerialGC \
  -cp "$root/$module/target/classes:$root/$module/target/test-classes:$(cat "$root/$module/target/test-classpath")" "$@"
