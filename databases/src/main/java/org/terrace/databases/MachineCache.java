package org.terrace.databases;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.locks.ReentrantLock;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/**
 * The directory of this machine in which unpacked programs and prepared data are kept between runs.
 *
 * <p>It is {@code $TERRACE_CACHE} if that is set, else {@code /var/cache/terrace} for root (whose
 * home other accounts cannot enter), else {@code terrace} under {@code $XDG_CACHE_HOME} or {@code
 * ~/.cache}. Whatever lies in it may be deleted while no run is going on. Thread-safe; safe among
 * processes.
 */
public final class MachineCache {
  /** The environment variable that moves the cache. */
  public static final String VARIABLE = "TERRACE_CACHE";

  private static final ReentrantLock IN_THIS_PROCESS = new ReentrantLock();

  private MachineCache() {}

  /** A piece of work that must not be done twice at once on a machine. */
  @FunctionalInterface
  public interface Work {
    void run() throws IOException;
  }

  /** The cache's directory, which exists afterwards and which the account can reach. */
  public static Path directory(ServerAccount account) {
    Path directory = place(account);
    try {
      if (!Files.isDirectory(directory)) {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot make the cache directory %s (%s): set %s to a directory that may be written."
              .formatted(directory, e.getMessage(), VARIABLE),
          e);
    }
    account.checkReach(directory, "set " + VARIABLE + " to a directory that it can enter");
    return directory;
  }

  /** Does a piece of work while no other thread or process does any under the same directory. */
  public static void exclusively(Path directory, Work work) {
    IN_THIS_PROCESS.lock();
    try (FileChannel channel =
            FileChannel.open(
                directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        var lock = channel.lock()) {
      assert lock.isValid();
      work.run();
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          "Cannot write below the cache directory %s (%s): set %s to a directory that may be written."
              .formatted(directory, e.getMessage(), VARIABLE),
          e);
    } finally {
      IN_THIS_PROCESS.unlock();
    }
  }

  private static Path place(ServerAccount account) {
    String chosen = System.getenv(VARIABLE);
    if (chosen != null && !chosen.isBlank()) {
      return Path.of(chosen).toAbsolutePath();
    }
    if (account.name().isPresent()) {
      return Path.of("/var/cache/terrace");
    }
    String standard = System.getenv("XDG_CACHE_HOME");
    if (standard != null && !standard.isBlank()) {
      return Path.of(standard, "terrace");
    }
    String home = System.getenv("HOME");
    if (home == null || home.isBlank()) {
      home = System.getProperty("user.home");
    }
    return Path.of(home, ".cache", "terrace");
  }
}
