package org.terrace.fleet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The right to write a trial of a data set, which one writer has at a time, of all processes of all
 * machines: a lock of the operating system on a file of the trial's name, which ends with its
 * process however that ends. The file is removed with the lock. Confined to one thread.
 */
final class TrialLock implements AutoCloseable {
  /** The folder of the locks, below the table of trials; readers pass over its name. */
  private static final String FOLDER = ".locks";

  /**
   * The locks of this process. Closing any channel of a file gives up the process's lock on it, so
   * a second writer of this process must not even open the file.
   */
  private static final Set<Path> OF_THIS_PROCESS = ConcurrentHashMap.newKeySet();

  private final Path file;
  private @Nullable FileChannel locked;
  private @Nullable FileChannel named;

  private TrialLock(Path file) {
    this.file = file;
  }

  /**
   * Takes the lock at once or not at all.
   *
   * @throws TerraceException if another writer has it
   * @throws IOException if the file system has no locks, or nothing can be written
   */
  static TrialLock take(Path fleet, String trial) throws IOException {
    TrialLock lock = takeIfFree(fleet, trial);
    if (lock == null) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          fleet
              + ": the trial "
              + trial
              + " is being written by another export. Wait for its end, or give this one another"
              + " name.");
    }
    return lock;
  }

  /**
   * Takes the lock at once; null if another writer has it.
   *
   * @throws IOException if the file system has no locks, or nothing can be written
   */
  static @Nullable TrialLock takeIfFree(Path fleet, String trial) throws IOException {
    Path folder = fleet.resolve(FleetReader.TRIALS).resolve(FOLDER);
    Path file =
        Files.createDirectories(folder).toRealPath().resolve(PartitionNames.folder("trial", trial));
    if (!OF_THIS_PROCESS.add(file)) {
      return null;
    }
    TrialLock lock = new TrialLock(file);
    boolean held = false;
    try {
      while (!held) {
        if (!lock.open()) {
          return null;
        }
        held = lock.isOfName();
        if (!held) {
          lock.closeChannels();
        }
      }
      return lock;
    } finally {
      if (!held) {
        lock.closeChannels();
        OF_THIS_PROCESS.remove(file);
      }
    }
  }

  /** Opens the file and locks it; false if another process has. */
  private boolean open() throws IOException {
    FileChannel opened =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    locked = opened;
    try {
      return opened.tryLock() != null;
    } catch (IOException e) {
      throw new IOException("its file system has no locks (" + e.getMessage() + ")", e);
    }
  }

  /**
   * Whether the locked file still has the name: who had the lock before may have removed the file
   * after it was opened here. It is marked through one channel and read by its name.
   */
  private boolean isOfName() throws IOException {
    byte[] mark = UUID.randomUUID().toString().getBytes(StandardCharsets.US_ASCII);
    FileChannel writing = locked;
    if (writing == null) {
      return false;
    }
    writing.truncate(0);
    writing.write(ByteBuffer.wrap(mark), 0);
    try {
      FileChannel reading = FileChannel.open(file, StandardOpenOption.READ);
      named = reading;
      ByteBuffer read = ByteBuffer.allocate(mark.length);
      return reading.read(read, 0) == mark.length && read.flip().equals(ByteBuffer.wrap(mark));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private void closeChannels() throws IOException {
    FileChannel first = locked;
    FileChannel second = named;
    locked = null;
    named = null;
    try {
      if (first != null) {
        first.close();
      }
    } finally {
      if (second != null) {
        second.close();
      }
    }
  }

  /** Gives the lock up. */
  @Override
  public void close() throws IOException {
    try {
      Files.deleteIfExists(file);
    } finally {
      try {
        closeChannels();
      } finally {
        OF_THIS_PROCESS.remove(file);
      }
    }
  }
}
