package org.terrace.mesh;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.FileTree;
import org.terrace.core.TerraceException;
import org.terrace.experiment.ResultFolder;
import org.terrace.scaling.MeshTrial.Status;
import org.terrace.specification.Keep;

/**
 * The directory of a mesh: a folder for each trial by its key, which has this name once it is
 * whole. One command works in it at a time; a killed one leaves whole trials, and one in an
 * unfinished folder that the next command removes. Confined to one thread.
 */
final class MeshFolder implements AutoCloseable {
  static final String TRIALS = "trials";
  private static final String UNFINISHED = ".unfinished";
  static final String SERVERS = "servers.running";
  private static final String DAMAGED = "damaged";
  static final String LOCK = "running.lock";

  /** A trial's folder, or what was left of it: a digest in hexadecimal, and what it was. */
  static final Pattern OF_A_TRIAL = Pattern.compile("[0-9a-f]{64}(\\.(unfinished|attempt-\\d+))?");

  private final Path directory;
  private final FileChannel lock;
  private ProgramFiles programs = ProgramFiles.of(List.of());
  private ProbedHosts hosts = ProbedHosts.NONE;

  private MeshFolder(Path directory, FileChannel lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /** The folder of a trial, relative to the mesh's directory. */
  static String relative(String key) {
    return TRIALS + "/" + key;
  }

  /**
   * Opens the directory of a mesh, new or with what an earlier command left.
   *
   * @throws TerraceException if another command works in it, or it holds something else
   */
  static MeshFolder open(Path directory) {
    Path absolute = directory.toAbsolutePath().normalize();
    UsableDirectory.require(directory);
    try {
      // The lock's file says that this is a mesh's, and is there before anything else.
      Files.createDirectories(absolute);
      FileChannel lock =
          FileChannel.open(
              absolute.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        if (lock.tryLock() == null) {
          lock.close();
          throw running(directory);
        }
      } catch (OverlappingFileLockException e) {
        lock.close();
        throw running(directory);
      }
      Files.createDirectories(absolute.resolve(TRIALS));
      return new MeshFolder(absolute, lock);
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          directory + " cannot hold a mesh: " + e + "; choose another --out",
          e);
    }
  }

  private static TerraceException running(Path directory) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        "another command is running the mesh in " + directory + "; name another with --out");
  }

  /** Lets no trial begin or end, nor an attempt at one, once a file or a host has changed. */
  void watch(ProgramFiles files, ProbedHosts probed) {
    programs = files;
    hosts = probed;
  }

  Path directory() {
    return directory;
  }

  Path trial(String key) {
    return directory.resolve(relative(key));
  }

  /** The row of a trial that has ended, in whatever way; empty if it has not. */
  static Optional<TrialRow> row(Path directory, String key) {
    Path folder = directory.resolve(relative(key));
    return Files.exists(folder.resolve(MeshFile.ROW))
        ? Optional.of(MeshFile.readRow(folder))
        : Optional.empty();
  }

  /** The folders of trials that are not among the given ones: those of other specifications. */
  List<String> others(Set<String> keys) {
    return names().stream().filter(name -> !keys.contains(name)).toList();
  }

  private List<String> names() {
    try (Stream<Path> entries = Files.list(directory.resolve(TRIALS))) {
      return entries
          .map(entry -> entry.getFileName().toString())
          .filter(name -> OF_A_TRIAL.matcher(name).matches() && !name.contains("."))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Removes what a killed command left of trials; whether there was any. A trial that has its row
   * is whole, and gets its name; an attempt that has its reason stays until its trial ends.
   */
  boolean removeUnfinished() {
    boolean found = false;
    try (Stream<Path> entries = Files.list(directory.resolve(TRIALS))) {
      for (Path entry : entries.sorted().toList()) {
        String name = entry.getFileName().toString();
        if (!name.equals(SERVERS) && !(name.contains(".") && OF_A_TRIAL.matcher(name).matches())) {
          continue; // a whole trial, or something that is somebody else's
        }
        Path trial = entry.resolveSibling(name.split("\\.", 2)[0]);
        boolean failed =
            FailedAttempts.reason(entry).isPresent()
                && FailedAttempts.before(trial).filter(row -> row.trial().isDone()).isEmpty();
        if (failed && !name.endsWith(UNFINISHED)) {
          continue;
        }
        found = true;
        if (!name.endsWith(UNFINISHED)) {
          FileTree.delete(entry);
        } else if (FailedAttempts.before(entry).isPresent()) {
          giveName(entry, trial);
        } else if (failed) {
          FailedAttempts.setAside(entry, trial, rounds(trial));
        } else {
          FileTree.delete(entry);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  /**
   * The folder of a trial while it runs, empty.
   *
   * @throws TerraceException if a file of the programs has changed, or a host
   */
  Path begin(String key) {
    programs.requireUnchanged();
    hosts.requireUnchanged(false);
    try {
      Path folder = sibling(key, UNFINISHED);
      FileTree.delete(folder);
      return Files.createDirectory(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The folder, empty, for what servers print on which several trials run. */
  Path beginServers() {
    try {
      endServers();
      return Files.createDirectory(servers());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes what such servers printed: each trial has its part. */
  void endServers() {
    try {
      FileTree.delete(servers());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path servers() {
    return directory.resolve(TRIALS).resolve(SERVERS);
  }

  /** The reasons of the attempts at a trial that failed since it ended last. */
  List<String> failed(String key) {
    try {
      return FailedAttempts.reasons(trial(key));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A reason whose paths are relative to the folder of its attempt, wherever that will be. */
  String relative(String key, String reason) {
    return reason.replace(sibling(key, UNFINISHED) + "/", "").replace(servers() + "/", "logs/");
  }

  /**
   * Keeps the reason and the logs of an attempt that failed while another is made.
   *
   * @throws TerraceException if a file of the programs has changed, or a host
   */
  void setAside(String key, String reason) {
    programs.requireUnchanged();
    hosts.requireUnchanged(false);
    try {
      Path folder = sibling(key, UNFINISHED);
      FailedAttempts.write(folder, reason);
      FailedAttempts.setAside(folder, trial(key), rounds(trial(key)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The failed attempts of earlier rounds. */
  private static int rounds(Path trial) {
    return FailedAttempts.before(trial).map(row -> row.reasons().size()).orElse(0);
  }

  /**
   * Gives a trial's folder its name, with what attempts before it left: their logs and reasons.
   *
   * @param row the end of the trial with the reasons of the attempts that {@link #failed}
   * @throws TerraceException if a file of the programs has changed, or a host
   */
  void finish(String key, TrialRow row, Keep keep) {
    programs.requireUnchanged();
    boolean done = row.trial().status() == Status.DONE;
    hosts.requireUnchanged(done);
    Path folder = sibling(key, UNFINISHED);
    try {
      Files.createDirectories(folder);
      boolean packets =
          switch (keep.packets()) {
            case ALL -> true;
            case FAILED -> !done;
            case NONE -> false;
          };
      if (!packets) {
        KeptFiles.dropCaptures(folder);
      }
      if (!keep.tables()) {
        KeptFiles.dropTables(folder);
      }
      FailedAttempts.forceAll(folder);
      MeshFile.writeRow(folder, FailedAttempts.before(trial(key)).map(row::after).orElse(row));
      giveName(folder, trial(key));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void giveName(Path folder, Path trial) throws IOException {
    FailedAttempts.gather(folder, trial);
    FileTree.delete(trial);
    Files.move(folder, trial, StandardCopyOption.ATOMIC_MOVE);
    ResultFolder.force(trial.resolveSibling("."));
  }

  /** Moves what is damaged out of the way; a sentence for each. */
  List<String> setAside(List<MeshDamage> damages) {
    List<String> said = new ArrayList<>();
    Path aside = directory.resolve(DAMAGED);
    try {
      for (MeshDamage damage : damages) {
        Files.createDirectories(aside);
        Path place = aside.resolve(damage.place().getFileName());
        FileTree.delete(place);
        Files.move(damage.place(), place, StandardCopyOption.ATOMIC_MOVE);
        said.add(damage.fault() + "; it is now in " + DAMAGED + "/, and what it was is made anew");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return said;
  }

  private Path sibling(String key, String suffix) {
    Path trial = trial(key);
    return trial.resolveSibling(trial.getFileName() + suffix);
  }

  /** The bytes of all trials. */
  long bytes() {
    return KeptFiles.bytes(directory.resolve(TRIALS));
  }

  /**
   * Deletes captures, and then tables, of the trials that ended first until all take no more than
   * the budget.
   *
   * @return the trials that lost something, a sentence each
   */
  List<String> enforce(long budgetBytes) {
    if (budgetBytes == Long.MAX_VALUE) {
      return List.of();
    }
    try {
      return KeptFiles.free(oldest(), bytes() - budgetBytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> oldest() throws IOException {
    record Aged(Path folder, long millis) {}
    List<Aged> aged = new ArrayList<>();
    for (String name : names()) {
      Path row = trial(name).resolve(MeshFile.ROW);
      aged.add(
          new Aged(trial(name), Files.exists(row) ? Files.getLastModifiedTime(row).toMillis() : 0));
    }
    aged.sort(
        Comparator.comparingLong(Aged::millis).thenComparing(each -> each.folder().toString()));
    return aged.stream().map(Aged::folder).toList();
  }

  /**
   * Lets others work in the directory. The lock's file stays: one that has opened it before would
   * lock what nobody else can find once it is deleted.
   */
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
