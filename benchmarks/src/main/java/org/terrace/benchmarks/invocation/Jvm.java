package org.terrace.benchmarks.invocation;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;

/** The JVMs of the benchmark, each with the flags that suit its part. */
final class Jvm {
  /** Huge pages end a killed process, and so its connections, in a fraction of the time. */
  private static final List<String> SERVER_FLAGS =
      List.of("-Xms256m", "-Xmx256m", "-XX:+UseG1GC", "-XX:+UseTransparentHugePages");

  /** The options that make a replica start fast; it is replaced while its service goes on. */
  private static final List<String> START_FLAGS =
      List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

  private static final List<String> ACCESS =
      List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");

  private static final List<String> REPLICAS_JARS =
      List.of(
          "terrace-",
          "jspecify",
          "error_prone_annotations",
          "HikariCP",
          "slf4j-api",
          "postgresql",
          "mariadb-java-client");

  private Jvm() {}

  /** Starts a process with ordinary server flags and all libraries. */
  static ChildProcess start(Class<?> main, Path log, String... arguments) throws IOException {
    return start(List.of(), main, log, arguments);
  }

  /** The same behind a command that starts it, for example one that binds it to a processor. */
  static ChildProcess start(List<String> prefix, Class<?> main, Path log, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(java(SERVER_FLAGS));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return start(command, log);
  }

  static ChildProcess start(List<String> command, Path log) throws IOException {
    return ChildProcess.start(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log.toFile())));
  }

  /** The words that start a replica fast: few libraries, one compiler. */
  static List<String> replicaCommand(Class<?> main, List<String> arguments) {
    String libraries =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(Jvm::isOfReplicas)
            .collect(Collectors.joining(File.pathSeparator));
    List<String> command = new ArrayList<>(java(START_FLAGS));
    command.addAll(List.of("-cp", libraries, main.getName()));
    command.addAll(arguments);
    return command;
  }

  private static boolean isOfReplicas(String entry) {
    String name = String.valueOf(Path.of(entry).getFileName());
    return !name.endsWith(".jar") || REPLICAS_JARS.stream().anyMatch(name::startsWith);
  }

  private static List<String> java(List<String> flags) {
    List<String> command = new ArrayList<>();
    command.add(JavaCommand.program().toString());
    command.addAll(flags);
    command.addAll(ACCESS);
    return command;
  }
}
