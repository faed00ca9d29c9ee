package org.terrace.observation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that appears whole or not at all: it is written under a temporary name beside its own, and
 * renamed once it is complete. Confined to one thread.
 */
final class AtomicFile implements AutoCloseable {
  private final Path target;
  private final Path temporary;

  AtomicFile(Path target) throws IOException {
    this.target = target.toAbsolutePath();
    this.temporary =
        this.target.resolveSibling(
            "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
    Files.createDirectories(temporary.resolve("..").normalize());
  }

  /** The file to write to. */
  Path temporary() {
    return temporary;
  }

  /** Gives the complete file its name, replacing an older one. */
  void commit() throws IOException {
    Files.move(
        temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Removes what was written unless it was committed. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(temporary);
  }
}
