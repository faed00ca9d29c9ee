package org.terrace.hosts.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import org.terrace.core.FileTree;

/**
 * A folder for files of a trial that lasts as long as its agent. A lock tells others that the agent
 * lives, which process numbers do not where a container has its own: an agent that was killed
 * leaves captures and databases behind, and the next one of the same user deletes them. Databases,
 * which may run under another account, lie in a second folder beside it that everybody may enter
 * and nobody else may list. Confined to one thread.
 */
public final class AgentFolder implements AutoCloseable {
  private static final String PREFIX = "terrace-agent-";
  private static final String LOCK = "lock";
  private static final String DATA = ".data";
  private static final String ENTERED_BY_ALL = "rwx--x--x";
  private static final Path SELF = Path.of("/proc/self");

  private final Path path;
  private final FileChannel lock;

  private AgentFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Deletes what dead agents left in a folder, and makes one more there, in this order: what they
   * left may be what fills the disk.
   */
  public static AgentFolder in(Path parent) throws IOException {
    deleteLeftovers(parent);
    Path made = Files.createTempDirectory(parent, PREFIX);
    Path unlocked = made.resolve(LOCK + ".new");
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

  private static void deleteLeftovers(Path parent) throws IOException {
    UserPrincipal user = Files.getOwner(SELF);
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path folder : folders) {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
          deleteIfDead(folder, user);
        }
      }
    }
  }

  private static void deleteIfDead(Path folder, UserPrincipal user) {
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve(LOCK), StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
        FileLock taken = channel.tryLock()) {
      if (taken != null && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(user)) {
        Path data = dataOf(folder);
        // The lock goes last: by it the next agent knows that something is left.
        if (Files.isDirectory(data, LinkOption.NOFOLLOW_LINKS)
            && Files.getOwner(data, LinkOption.NOFOLLOW_LINKS).equals(user)) {
          FileTree.delete(data);
        }
        FileTree.delete(folder);
      }
    } catch (IOException | UncheckedIOException | OverlappingFileLockException e) {
      assert e != null; // it is another's affair, or is being made or deleted at this moment
    }
  }

  /** The folder. */
  public Path path() {
    return path;
  }

  /** The folder for the data of databases, below which each makes a directory of its own. */
  public Path data() {
    return dataOf(path);
  }

  @Override
  public void close() throws IOException {
    FileTree.delete(dataOf(path));
    FileTree.delete(path);
    lock.close();
  }
}
