package org.terrace.hosts.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.terrace.core.ErrorCode;
import org.terrace.core.FileTree;
import org.terrace.core.TerraceException;
import org.terrace.core.TimeSource;

/**
 * A folder for files of a trial that lasts as long as its agent. A lock tells others that the agent
 * lives, which process numbers do not where a container has its own: an agent that was killed
 * leaves captures and databases behind, and the next one of the same user deletes them. Databases,
 * which may run under another account, lie in a second folder beside it that everybody may enter
 * and nobody else may list. A runner has one too, for the databases of its own machine.
 * Thread-safe.
 */
public final class AgentFolder implements AutoCloseable {
  private static final String PREFIX = "terrace-agent-";
  private static final String LOCK = "lock";
  private static final String UNLOCKED = "lock.new";
  private static final String DATA = ".data";
  private static final String ENTERED_BY_ALL = "rwx--x--x";
  private static final Path SELF = Path.of("/proc/self");

  /** The time in which an agent has made its folder, or deleted what is left of it. */
  private static final Duration MADE_WITHIN = Duration.ofMinutes(10);

  /**
   * The folders of this process. They are passed over without a look: closing a file takes all of a
   * process's locks on it.
   */
  private static final Set<Path> OWN = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lock;

  /** The deletion of a file, or of a directory with all that is below it. */
  @FunctionalInterface
  interface Deletion {
    void delete(Path file) throws IOException;
  }

  private AgentFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * A folder in the directory for temporary files.
   *
   * @throws TerraceException if none can be made there
   */
  public static AgentFolder inTemporary() {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    try {
      return in(temporary);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS, temporary + ": no folder can be made there: " + e, e);
    }
  }

  /**
   * Deletes what dead agents left in a folder, and makes one more there, in this order: what they
   * left may be what fills the disk.
   */
  public static AgentFolder in(Path parent) throws IOException {
    return in(parent, FileTree::delete);
  }

  /** Deletes what dead agents left in a folder by given means, and makes one more there. */
  static AgentFolder in(Path parent, Deletion deletion) throws IOException {
    Path place = parent.toRealPath();
    deleteLeftovers(place, deletion);
    Path made = Files.createTempDirectory(place, PREFIX);
    OWN.add(made);
    Path unlocked = made.resolve(UNLOCKED);
    FileChannel channel =
        FileChannel.open(unlocked, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    var _ = channel.lock();
    // Whoever sees it by its name finds it locked.
    Files.move(unlocked, made.resolve(LOCK), StandardCopyOption.ATOMIC_MOVE);
    Path data = Files.createDirectory(dataOf(made));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString(ENTERED_BY_ALL));
    return new AgentFolder(made, channel);
  }

  private static Path dataOf(Path folder) {
    return folder.resolveSibling(folder.getFileName() + DATA);
  }

  private static void deleteLeftovers(Path parent, Deletion deletion) throws IOException {
    UserPrincipal user = Files.getOwner(SELF);
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path folder : folders) {
        boolean isData = folder.getFileName().toString().endsWith(DATA);
        if (!isData && !OWN.contains(folder)) {
          deleteIfDead(folder, user, deletion);
        }
      }
    }
  }

  private static void deleteIfDead(Path folder, UserPrincipal user, Deletion deletion) {
    Path file = folder.resolve(LOCK);
    try {
      // Before anything in it is opened: another's lock may be a pipe, which would never open.
      if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS) || !isOf(user, folder)) {
        return;
      }
      if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
        deleteHalfMade(folder, user);
      } else if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && isOf(user, file)) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            FileLock taken = channel.tryLock()) {
          if (taken != null) {
            delete(folder, user, deletion);
          }
        }
      }
    } catch (IOException | UncheckedIOException | OverlappingFileLockException e) {
      assert e != null; // it is another's affair, or is being made or deleted at this moment
    }
  }

  private static boolean isOf(UserPrincipal user, Path file) throws IOException {
    return Files.getOwner(file, LinkOption.NOFOLLOW_LINKS).equals(user);
  }

  /**
   * Deletes a folder whose agent ended before it had locked it, or after it had deleted its lock,
   * which is all but the last. Whatever else is in one without a lock is none of an agent.
   */
  private static void deleteHalfMade(Path folder, UserPrincipal user) throws IOException {
    Instant changed = Files.getLastModifiedTime(folder, LinkOption.NOFOLLOW_LINKS).toInstant();
    Instant now = Instant.EPOCH.plusNanos(TimeSource.system().epochNanos());
    if (changed.plus(MADE_WITHIN).isBefore(now)) {
      Path unlocked = folder.resolve(UNLOCKED);
      if (Files.isRegularFile(unlocked, LinkOption.NOFOLLOW_LINKS)
          && isOf(user, unlocked)
          && Files.size(unlocked) == 0) {
        Files.delete(unlocked);
      }
      Files.delete(folder); // only if nothing else is in it
    }
  }

  /**
   * Deletes a folder and its data. The lock goes last: by it others know that something is left.
   */
  private static void delete(Path folder, UserPrincipal user, Deletion deletion)
      throws IOException {
    Path data = dataOf(folder);
    if (Files.isDirectory(data, LinkOption.NOFOLLOW_LINKS) && isOf(user, data)) {
      deletion.delete(data);
    }
    Path lock = folder.resolve(LOCK);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        if (!file.equals(lock)) {
          deletion.delete(file);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    deletion.delete(lock);
    deletion.delete(folder);
  }

  /** The folder. */
  public Path path() {
    return path;
  }

  /** The folder for the data of databases, below which each makes a directory of its own. */
  public Path data() {
    return dataOf(path);
  }

  /** Deletes it with all that is in it. May be called again. */
  @Override
  public synchronized void close() throws IOException {
    if (lock.isOpen()) {
      try (lock) {
        delete(path, Files.getOwner(SELF), FileTree::delete);
      } finally {
        OWN.remove(path);
      }
    }
  }
}
