package org.terrace.hosts.network;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name that this machine has for itself. Stateless. */
public final class LocalName {
  private static final Path NAME = Path.of("/proc/sys/kernel/hostname");

  private LocalName() {}

  /** The name; {@code host} if it cannot be read. */
  public static String ofThisMachine() {
    try {
      return Files.readString(NAME).strip();
    } catch (IOException e) {
      return "host";
    }
  }
}
