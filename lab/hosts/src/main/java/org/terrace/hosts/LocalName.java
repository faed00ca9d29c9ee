package org.terrace.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name that this machine has for itself. Stateless. */
final class LocalName {
  private static final Path NAME = Path.of("/proc/sys/kernel/hostname");

  private LocalName() {}

  static String ofThisMachine() {
    try {
      return Files.readString(NAME).strip();
    } catch (IOException e) {
      return "host";
    }
  }
}
