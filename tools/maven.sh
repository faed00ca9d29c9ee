# Sourced after java-home.sh: run_maven calls the project's Maven through the wrapper, exec_maven
# calls it in the place of this shell, by way of the command $run_with if that is set.
# The wrapper's checksum is that of the zip archive; where there is no unzip, the JDK's jar unpacks it.

# A class loader that spares Maven to load the compiler's plugins anew for each module, made once;
# without it all is the same and slower (docs/decisions/0207). A path with a blank cannot be passed.
shared_loader() { # prints the options of Maven's Java that make the class loader known
  sources=$root/tools/compiler/src/main/java
  loader=$root/target/compiler
  case $loader in *[[:space:]]*) return 0 ;; esac
  [ -d "$sources" ] || return 0
  if [ -z "$(find "$loader" -name SharedProcessorLoader.class -newer "$sources/org/terrace/build/SharedProcessorLoader.java" 2>/dev/null)" ]; then
    "$JAVA_HOME/bin/javac" -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -d "$loader" \
      "$sources/module-info.java" "$sources/org/terrace/build/SharedProcessorLoader.java" >&2 || return 0
  fi
  printf '%s' "--module-path $loader --add-modules org.terrace.build"
}

exec_maven() {
  umask 022 # jars without a module descriptor bear the rights of the files in them
  if ! command -v unzip >/dev/null 2>&1; then
    PATH="$root/tools/unzip-with-jdk:$PATH"
    export PATH
  fi
  MAVEN_OPTS="${MAVEN_OPTS:-} -Duser.home=$HOME $(shared_loader)"
  export MAVEN_OPTS
  exec ${run_with:-} "$root/mvnw" -f "$root/pom.xml" --batch-mode --no-transfer-progress "$@"
}

run_maven() {
  (exec_maven "$@")
}
