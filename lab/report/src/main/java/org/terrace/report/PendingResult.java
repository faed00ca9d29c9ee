package org.terrace.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.core.ErrorCode;
import org.terrace.core.FileTree;
import org.terrace.core.TerraceException;

/**
 * A result directory that appears whole or not at all: everything is written into a directory
 * beside it, {@code NAME.unfinished}, which takes the name once it is complete. A result that is
 * there is never mixed with another, and goes only if the caller asked to replace it.
 *
 * <p>When the JVM is interrupted, the unfinished directory is removed. When the work fails, it
 * stays for a look at its logs, and the next result of that name removes it. Confined to one
 * thread, but for the interrupt: whichever comes first, it or the result's completion, bars the
 * other (decision 0316).
 */
public final class PendingResult implements AutoCloseable {
  /** The end of the name of a result that is not whole. */
  public static final String UNFINISHED = ".unfinished";

  private static final String REPLACING = ".replacing";
  private static final String REPLACED = ".replaced";
  private static final String LOCK = ".lock";

  /** The files of which a directory that may be replaced holds one. */
  private static final List<String> MARKS = List.of(FindingsFile.NAME, "specification.yaml");

  /** The longest time that an interrupted command waits for others to stop writing. */
  private static final Duration DISCARDED_WITHIN = Duration.ofSeconds(2);

  private static final Duration DISCARD_PAUSE = Duration.ofMillis(20);

  private final Path target;
  private final Path directory;

  /** The right to all directories of the name, kept until the last of them has its own. */
  private final NameLock lock;

  private final BooleanSupplier discarding;

  /** Held by whoever gives the result its name, and by whoever removes what there is of it. */
  private final Object fate = new Object();

  private @Nullable Thread hook;
  private boolean discarded;
  private boolean complete;

  /**
   * Whether a name is that of the one or the other version of a result that a killed command was
   * replacing: the command that next writes the result removes them.
   */
  public static boolean isLeftover(String name) {
    return name.endsWith(REPLACING) || name.endsWith(REPLACED);
  }

  private PendingResult(Path target, Path directory, NameLock lock, BooleanSupplier discarding) {
    this.target = target;
    this.directory = directory;
    this.lock = lock;
    this.discarding = discarding;
  }

  /**
   * Begins a result.
   *
   * @param target the directory it will have; new, empty, or one with an earlier result
   * @param replace whether an earlier result may go
   * @param discarding asked when the JVM is interrupted before the result is complete: whether to
   *     remove what there is; otherwise the work goes on to its end
   * @throws TerraceException if the directory is in use, or holds what must not be lost
   */
  public static PendingResult begin(Path target, boolean replace, BooleanSupplier discarding) {
    try {
      Path file = sibling(target.toAbsolutePath().normalize(), LOCK);
      Files.createDirectories(file.resolveSibling("."));
      NameLock lock = NameLock.take(file).orElseThrow(() -> running(target));
      try {
        return begin(target, replace, discarding, lock);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          target + " cannot hold a result: " + e + "; choose another --out",
          e);
    }
  }

  /** Begins a result of a name that no other command writes to. */
  private static PendingResult begin(
      Path target, boolean replace, BooleanSupplier discarding, NameLock lock) throws IOException {
    Path absolute = target.toAbsolutePath().normalize();
    settle(absolute);
    requireFree(target, replace);
    Path directory = sibling(absolute, UNFINISHED);
    FileTree.delete(directory);
    Files.createDirectories(directory);
    PendingResult result = new PendingResult(absolute, directory, lock, discarding);
    Thread hook = Thread.ofPlatform().name("discard-result").unstarted(result::discard);
    Runtime.getRuntime().addShutdownHook(hook);
    result.hook = hook;
    return result;
  }

  /**
   * The first of {@code path}, {@code path-2}, {@code path-3} and so on that is not there or is an
   * empty directory.
   */
  public static Path firstFree(Path path) {
    Path candidate = path;
    for (int number = 2; isTaken(candidate); number++) {
      candidate = path.resolveSibling(path.getFileName() + "-" + number);
    }
    return candidate;
  }

  /** The directory to write into. */
  public Path directory() {
    return directory;
  }

  /**
   * Gives the complete result its name. An earlier result is removed only after that; a process
   * that ends in between leaves the new one whole, if need be as {@code NAME.replacing}, which the
   * next call of {@link #begin} gives its name.
   *
   * @throws TerraceException if the JVM was interrupted before, so that the result is gone
   */
  public void finish() {
    unhook();
    synchronized (fate) {
      if (discarded) {
        throw new TerraceException(
            ErrorCode.CHECK_FAILED, "interrupted: no result was written to " + target);
      }
      try {
        if (isTaken(target)) {
          Path old = sibling(target, REPLACED);
          Path replacing = sibling(target, REPLACING);
          FileTree.delete(old);
          FileTree.delete(replacing);
          Files.move(directory, replacing, StandardCopyOption.ATOMIC_MOVE);
          Files.move(target, old, StandardCopyOption.ATOMIC_MOVE);
          settle(target);
          complete = true;
          FileTree.delete(old);
        } else {
          Files.move(directory, target, StandardCopyOption.ATOMIC_MOVE);
          complete = true;
        }
        lock.close();
      } catch (IOException e) {
        throw new TerraceException(
            ErrorCode.MACHINE_LACKS,
            "the result could not take the name %s: %s; it is whole beside it".formatted(target, e),
            e);
      }
    }
  }

  /** Gives a complete result the name that an earlier one has left to it. */
  private static void settle(Path target) throws IOException {
    Path replacing = sibling(target, REPLACING);
    if (Files.exists(replacing) && !isTaken(target)) {
      Files.move(replacing, target, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Ends the work; what was not finished stays beside the result's name unless it is empty. */
  @Override
  public void close() {
    unhook();
    synchronized (fate) {
      try (lock) {
        if (!complete && !discarded && isEmpty(directory)) {
          Files.deleteIfExists(directory);
        }
      } catch (IOException e) {
        throw new TerraceException(ErrorCode.MACHINE_LACKS, directory + ": " + e, e);
      }
    }
  }

  private void unhook() {
    Thread registered = hook;
    hook = null;
    try {
      if (registered != null) {
        Runtime.getRuntime().removeShutdownHook(registered);
      }
    } catch (IllegalStateException e) {
      // The JVM is ending already, and the hook does what it is asked to.
      assert e != null;
    }
  }

  /** Removes what there is, unless the result is complete or its work is to go on to its end. */
  void discard() {
    synchronized (fate) {
      if (complete || !discarding.getAsBoolean()) {
        return;
      }
      discarded = true;
      long pauses = DISCARDED_WITHIN.dividedBy(DISCARD_PAUSE);
      for (long pause = 0; pause < pauses && Files.exists(directory); pause++) {
        try {
          FileTree.delete(directory);
        } catch (IOException e) {
          // A process that is ending too has written once more: the next round sees it.
          LockSupport.parkNanos(DISCARD_PAUSE.toNanos());
        }
      }
      try {
        lock.close();
      } catch (IOException e) {
        assert e != null; // this process is ending, and its lock with it
      }
    }
  }

  /**
   * Refuses a directory that holds what must not be lost.
   *
   * @param name the directory as the user wrote it
   * @param replace whether an earlier result may go
   * @throws TerraceException if it holds an earlier result that may not go, or something else
   */
  public static void requireFree(Path name, boolean replace) {
    Path target = name.toAbsolutePath().normalize();
    if (!isTaken(target)) {
      return;
    }
    if (!Files.isDirectory(target)) {
      throw refused(
          name + " is a file, expected a directory for the result; name another with --out");
    }
    if (MARKS.stream().noneMatch(mark -> Files.exists(target.resolve(mark)))) {
      throw refused(
          name + " holds something that is not a result; name another directory with --out");
    }
    if (!replace) {
      throw refused(
          name + " holds an earlier result; name another directory with --out, or give --replace");
    }
  }

  private static TerraceException running(Path name) {
    return refused("another command is writing a result to " + name + "; name another with --out");
  }

  private static TerraceException refused(String message) {
    return new TerraceException(ErrorCode.BAD_INPUT, message);
  }

  private static Path sibling(Path path, String suffix) throws IOException {
    Path name = path.getFileName();
    if (name == null) {
      throw new IOException("it is the root of the file system");
    }
    return path.resolveSibling(name + suffix);
  }

  private static boolean isTaken(Path path) {
    try {
      return Files.exists(path) && !(Files.isDirectory(path) && isEmpty(path));
    } catch (IOException e) {
      return true;
    }
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }
}
