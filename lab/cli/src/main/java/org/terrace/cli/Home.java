package org.terrace.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.core.process.JavaCommand;

/** The folder of the distribution, which {@code ./terrace} passes as {@code terrace.home}. */
final class Home {
  private static final String PROPERTY = "terrace.home";

  private Home() {}

  static Path folder() {
    String home = System.getProperty(PROPERTY);
    if (home == null || !Files.isDirectory(Path.of(home))) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "the distribution was not found at "
              + home
              + "; start the command as ./terrace, which sets -D"
              + PROPERTY);
    }
    return Path.of(home);
  }

  /** The command line of a JVM like this one with the libraries in a folder below the home. */
  static List<String> javaCommand(String libraries, List<String> options, String mainClass) {
    List<String> all =
        new ArrayList<>(
            List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
    all.addAll(options);
    all.add("-D" + PROPERTY + "=" + folder());
    return JavaCommand.of(
        JavaCommand.program(), all, folder().resolve(libraries) + "/*", mainClass, List.of());
  }
}
