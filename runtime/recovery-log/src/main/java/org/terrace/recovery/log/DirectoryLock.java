package org.terrace.recovery.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a directory that one process at a time has, and one owner within it. The system lets
 * go of it when the process has ended, however it did.
 *
 * <p>A process that closes any channel of a locked file loses its lock of it (POSIX, {@code
 * fcntl}), so that within the process that has it nobody opens the file to look. Code that other
 * class loaders loaded is only told by the virtual machine; the channel that it looked with is kept
 * open. Thread-safe.
 */
final class DirectoryLock implements AutoCloseable {
  private static final String FILE = "lock";

  private static final Set<Path> HELD = new HashSet<>();
  private static final Map<Path, FileChannel> KEPT_OPEN = new HashMap<>();

  private final Path directory;
  private final FileChannel channel;

  private DirectoryLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  /**
   * Takes the lock of a directory.
   *
   * @return null if somebody has it
   * @throws IOException when there is no such directory, or its file cannot be made
   */
  static @Nullable DirectoryLock tryTake(Path directory) throws IOException {
    Path real = directory.toRealPath();
    synchronized (HELD) {
      if (HELD.contains(real)) {
        return null;
      }
      FileChannel channel = KEPT_OPEN.remove(real);
      if (channel == null) {
        channel =
            FileChannel.open(
                real.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      }
      boolean elsewhere = false;
      try {
        if (channel.tryLock() != null) {
          HELD.add(real);
          return new DirectoryLock(real, channel);
        }
        elsewhere = true;
        return null;
      } catch (OverlappingFileLockException e) {
        KEPT_OPEN.put(real, channel);
        return null;
      } catch (IOException e) {
        elsewhere = true;
        throw e;
      } finally {
        if (elsewhere) {
          channel.close();
        }
      }
    }
  }

  /**
   * Whether somebody has the lock of a directory.
   *
   * @throws IOException when the directory cannot be read
   */
  static boolean isTaken(Path directory) throws IOException {
    if (!Files.exists(directory.resolve(FILE))) {
      return false;
    }
    DirectoryLock free = tryTake(directory);
    if (free != null) {
      free.close();
    }
    return free == null;
  }

  @Override
  public void close() throws IOException {
    synchronized (HELD) {
      HELD.remove(directory);
      channel.close();
    }
  }
}
