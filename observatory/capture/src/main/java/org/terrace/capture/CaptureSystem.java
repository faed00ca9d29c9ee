package org.terrace.capture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** Names this machine for a capture file, and finds the programs that capture. Stateless. */
final class CaptureSystem {
  private CaptureSystem() {}

  /** Whether this is Linux, the only system with packet rings and network namespaces. */
  static boolean isLinux() {
    return System.getProperty("os.name", "").equals("Linux");
  }

  /**
   * Ends the caller on a system other than Linux.
   *
   * @throws TerraceException with {@code MACHINE_LACKS}
   */
  static void requireLinux() {
    if (!isLinux()) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "capturing packets needs Linux, and this is %s: analyze a capture made elsewhere instead"
              .formatted(System.getProperty("os.name")));
    }
  }

  /** The processor's model, or its architecture where the kernel does not say. */
  static String hardware() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElseGet(() -> System.getProperty("os.arch", "unknown"));
    } catch (IOException e) {
      return System.getProperty("os.arch", "unknown");
    }
  }

  /** The kernel's name and version. */
  static String operatingSystem() {
    return System.getProperty("os.name") + " " + System.getProperty("os.version");
  }

  /**
   * A program that this user may run, along the path and in the places of system programs, which an
   * ordinary user's path often leaves out.
   */
  static Optional<Path> program(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(
            Stream.of(path.split(":", -1)).filter(folder -> !folder.isEmpty()),
            Stream.of("/usr/sbin", "/usr/bin", "/sbin", "/bin", "/usr/local/sbin"))
        .map(folder -> Path.of(folder, name))
        .filter(file -> Files.isExecutable(file) && Files.isRegularFile(file))
        .findFirst();
  }
}
