package org.terrace.observation.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that appears whole or not at all: it is written under a temporary name beside its own, and
 * renamed once it is complete. Confined to one thread.
 */
public final class AtomicFile implements AutoCloseable {
  private final Path target;
  private final Path temporary;

  /** Begins a file; its folder is made if it is not there. */
  public AtomicFile(Path target) throws IOException {
    this.target = target.toAbsolutePath();
    this.temporary =
        this.target.resolveSibling(
            "." + target.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
    Files.createDirectories(temporary.resolve("..").normalize());
  }

  /** The file to write to. */
  public Path temporary() {
    return temporary;
  }

  /** Gives the complete file its name, replacing an older one. */
  public void commit() throws IOException {
    Files.move(
        temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Removes what was written unless it was committed. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(temporary);
  }
}
