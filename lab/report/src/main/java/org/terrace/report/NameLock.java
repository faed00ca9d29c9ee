package org.terrace.report;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The right to write what has a name, of which one command has it at a time: the lock of a file
 * beside it, which is deleted with the lock still held, so that no result has a stray file for a
 * neighbour. Whoever had opened the file before locks one that nobody can find any more, sees that,
 * and tries the one that is there now. Thread-safe.
 */
final class NameLock implements AutoCloseable {
  private static final int MOST_TRIES = 1_000;

  /**
   * The files that this process has locked: the kernel would let all of its locks on a file go as
   * soon as it closes the file, however often it had opened it.
   */
  private static final Set<Path> HERE = ConcurrentHashMap.newKeySet();

  private final Path file;
  private final FileChannel channel;

  private NameLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes the lock of a file, which is made if it is not there; empty if another has it.
   *
   * @param file an absolute path
   */
  static Optional<NameLock> take(Path file) throws IOException {
    if (!HERE.add(file)) {
      return Optional.empty();
    }
    Optional<NameLock> taken = Optional.empty();
    try {
      for (int tries = 0; tries < MOST_TRIES; tries++) {
        try {
          String before = made(file);
          FileChannel channel =
              FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
          if (!isLocked(channel)) {
            channel.close();
            return taken;
          }
          if (before.equals(marks(file))) {
            taken = Optional.of(new NameLock(file, channel));
            return taken;
          }
          channel.close();
        } catch (NoSuchFileException e) {
          assert e != null; // its owner has deleted it meanwhile: the next try makes another
        }
      }
      return taken;
    } finally {
      if (taken.isEmpty()) {
        HERE.remove(file);
      }
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // this process has it by another path
    }
  }

  /** Makes the file if it is not there; its marks. */
  private static String made(Path file) throws IOException {
    try {
      Files.createFile(file);
    } catch (FileAlreadyExistsException e) {
      // One look: between two of them its owner may have deleted it.
      if (!Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .isRegularFile()) {
        throw new IOException(file + " is no file", e);
      }
    }
    return marks(file);
  }

  /** The marks of the file that has the name at the moment: no two at different moments share. */
  private static String marks(Path file) throws IOException {
    try {
      return new TreeMap<>(
              Files.readAttributes(file, "unix:dev,ino,ctime", LinkOption.NOFOLLOW_LINKS))
          .toString();
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  /** Deletes the file and lets the lock go; harmless when that is done. */
  @Override
  public synchronized void close() throws IOException {
    if (channel.isOpen()) {
      try {
        Files.deleteIfExists(file);
      } finally {
        channel.close();
        HERE.remove(file);
      }
    }
  }
}
