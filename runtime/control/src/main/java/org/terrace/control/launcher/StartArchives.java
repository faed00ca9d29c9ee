package org.terrace.control.launcher;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.terrace.core.process.Keeper;

/**
 * Archives of the classes that replicas load, which make the start of the next one cheaper: at the
 * first launch of a command a replica is started for training, which ends where it would register,
 * and the JVM writes what it had loaded into a file.
 *
 * <p>Only commands that begin with {@code java} and have a class path of files take part; all
 * others are left as they are. An archive that does not fit is ignored by the JVM. The archives lie
 * in a directory that nobody else may write to, since the JVM trusts them. Thread-safe.
 */
final class StartArchives {
  private static final int ARCHIVES_MAX = 16;
  private static final int TRAINING_SECONDS = 60;
  private static final String SUFFIX = ".jsa";

  /** The JVM grumbles about options that a shared archive cannot make use of, and works. */
  private static final String QUIET = "-Xlog:cds=off,aot=off";

  private final Path directory;
  private final Set<String> attempted = ConcurrentHashMap.newKeySet();
  private final Keeper keeper;
  private volatile @Nullable Process training;
  private volatile boolean closed;

  /**
   * Archives in this directory, which need not exist.
   *
   * @param keeper keeps each replica that is trained
   */
  StartArchives(Path directory, Keeper keeper) {
    this.directory = directory.toAbsolutePath();
    this.keeper = keeper;
  }

  /** The command with its archive, if there is one. */
  List<String> with(List<String> words) {
    return archive(words)
        .filter(Files::isRegularFile)
        .map(file -> with(words, "-XX:SharedArchiveFile=" + file))
        .orElse(words);
  }

  private static List<String> with(List<String> words, String option) {
    List<String> all = new ArrayList<>(words);
    all.addAll(1, List.of(option, QUIET));
    return all;
  }

  private Optional<Path> archive(List<String> words) {
    try {
      return ArchivableCommand.parse(words)
          .map(command -> directory.resolve(command.fingerprint() + SUFFIX));
    } catch (UncheckedIOException e) {
      return Optional.empty();
    }
  }

  /**
   * Makes the archive of a command in the background, if there is none and it was not tried before.
   *
   * @param log where the replica that is trained prints to
   */
  void makeSoon(List<String> words, Path log) {
    Optional<Path> archive = archive(words);
    if (archive.isPresent()
        && attempted.add(archive.get().toString())
        && !Files.exists(archive.get())) {
      Thread.ofVirtual().name("training-of-replicas").start(() -> make(words, log));
    }
  }

  /** Makes the archive of a command; false if that failed, which is told on standard error. */
  @CanIgnoreReturnValue
  boolean make(List<String> words, Path log) {
    Path archive = archive(words).orElseThrow();
    try {
      prepareDirectory();
      Path part = Files.createTempFile(directory, "training", ".part");
      try {
        if (train(with(words, "-XX:ArchiveClassesAtExit=" + part), log) && Files.size(part) > 0) {
          Files.move(part, archive, StandardCopyOption.ATOMIC_MOVE);
          removeOldest();
          return true;
        }
        System.err.println("launcher: training failed, replicas start as before; see " + log);
      } finally {
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      System.err.println("launcher: replicas start without an archive of classes: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private void prepareDirectory() throws IOException {
    if (!Files.exists(directory)) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
    PosixFileAttributes attributes = Files.readAttributes(directory, PosixFileAttributes.class);
    if (!attributes.owner().getName().equals(System.getProperty("user.name"))
        || attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE)
        || attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)) {
      throw new IOException(directory + " may be written by others");
    }
  }

  /** Whether the replica came as far as registering; it is not to disturb those that serve. */
  private boolean train(List<String> words, Path log) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("nice", "-n", "19"));
    command.addAll(words);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(log.toFile());
    builder.environment().put(Training.VARIABLE, "true");
    Process process = keeper.start(builder);
    training = process;
    try {
      return !closed
          && process.waitFor(TRAINING_SECONDS, TimeUnit.SECONDS)
          && process.exitValue() == 0;
    } finally {
      process.destroyForcibly();
    }
  }

  private void removeOldest() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      List<Path> newestFirst =
          all.filter(file -> file.toString().endsWith(SUFFIX))
              .sorted(
                  Comparator.comparingLong((Path file) -> file.toFile().lastModified()).reversed())
              .toList();
      for (Path old :
          newestFirst.subList(Math.min(ARCHIVES_MAX, newestFirst.size()), newestFirst.size())) {
        Files.deleteIfExists(old);
      }
    }
  }

  /** Ends a training that is under way. */
  void close() {
    closed = true;
    Process process = training;
    if (process != null) {
      process.destroyForcibly();
    }
  }
}
