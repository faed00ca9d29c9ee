package org.terrace.testing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a small JVM with the classes of this test. */
public final class JavaCommand {
  private JavaCommand() {}

  /** The command for a main class and its arguments. */
  public static List<String> of(Class<?> mainClass, String... arguments) {
    return of(List.of(), mainClass, arguments);
  }

  /** The command for a main class and its arguments, with options of the JVM. */
  public static List<String> of(List<String> options, Class<?> mainClass, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED"));
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
