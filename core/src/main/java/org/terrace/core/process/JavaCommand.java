package org.terrace.core.process;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The words that start a JVM: program, options, class path, main class, arguments. Stateless. */
public final class JavaCommand {
  private static final List<String> SMALL =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED");

  private JavaCommand() {}

  /** The program of the JVM that runs this. */
  public static Path program() {
    return Path.of(System.getProperty("java.home"), "bin", "java");
  }

  /** The words for a class of this process's class path, in a JVM like this one. */
  public static List<String> of(List<String> options, Class<?> main, String... arguments) {
    return of(
        program(),
        options,
        System.getProperty("java.class.path"),
        main.getName(),
        List.of(arguments));
  }

  /** The same in a JVM that starts fast and stays small, for a run too short to pay for more. */
  public static List<String> small(List<String> options, Class<?> main, String... arguments) {
    List<String> all = new ArrayList<>(SMALL);
    all.addAll(options);
    return of(all, main, arguments);
  }

  /** The words for any class. */
  public static List<String> of(
      Path program, List<String> options, String classPath, String main, List<String> arguments) {
    List<String> words = new ArrayList<>();
    words.add(program.toString());
    words.addAll(options);
    words.addAll(List.of("-cp", classPath, main));
    words.addAll(arguments);
    return words;
  }
}
