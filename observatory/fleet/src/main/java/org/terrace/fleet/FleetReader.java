package org.terrace.fleet;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.Event;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.PartitionFiles;
import org.terrace.observation.Server;
import org.terrace.observation.table.ParquetTable;

/**
 * Reads the tables of a data set: a folder for each table, {@code trial=NAME} below it, and one
 * file of Parquet there, but for the requests, which have folders for servers and hours below their
 * trial. A trial is there once its file of the table {@value #TRIALS} is, which is written last.
 *
 * <p>What is missing, damaged or of another shape gives a {@link TerraceException} that names it.
 * Stateless and thread-safe.
 */
public final class FleetReader {
  static final String TRIALS = "trials";
  static final String FILES = "files";
  static final String REQUESTS = "requests";
  static final String SERVERS = "servers";
  static final String EVENTS = "events";
  static final String SAMPLES = "samples";
  static final String CONNECTIONS = "connections";

  /** The end of the names of files. */
  static final String PARQUET = ".parquet";

  private static final ParquetTable<FleetTrial> TRIAL_TABLE =
      new ParquetTable<>(new FleetTrial.Columns());
  private static final ParquetTable<FleetFile> FILE_TABLE =
      new ParquetTable<>(new FleetFile.Columns());

  private FleetReader() {}

  /** The reading of a file that was opened. */
  private interface Reading<T> {
    T from(SeekableByteChannel bytes, String name) throws IOException;
  }

  /**
   * The names of the trials, sorted.
   *
   * @throws TerraceException if there is none, or if one is just being replaced
   */
  public static List<String> trials(FleetStorage storage) {
    Set<String> trials;
    try {
      trials = named(storage, TRIALS);
      Set<String> replaced = named(storage, TRIALS + "/" + TrialFolders.REPLACED);
      // Again, since what was set aside at the first look may be in place by now.
      trials.addAll(named(storage, TRIALS));
      replaced.removeAll(trials);
      if (!replaced.isEmpty()) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            storage
                + ": the trials "
                + replaced
                + " are being replaced, or the export that did so was ended. Wait for it, or"
                + " repeat it with --replace: any export puts back what was there.");
      }
    } catch (IOException e) {
      throw unreadable(storage + "/" + TRIALS, e);
    }
    if (trials.isEmpty()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          storage
              + ": expected a data set of trials, with folders trial=NAME in "
              + TRIALS
              + ". Name one that terrace export has written.");
    }
    return List.copyOf(trials);
  }

  /** The trials whose row is in a folder. */
  private static Set<String> named(FleetStorage storage, String folder) throws IOException {
    Set<String> trials = new TreeSet<>();
    for (String each : storage.list(folder)) {
      String trial = PartitionNames.value("trial", each);
      if (trial != null && storage.list(folder + "/" + each).contains(TRIALS + PARQUET)) {
        trials.add(trial);
      }
    }
    return trials;
  }

  /** A trial by its name. */
  public static FleetTrial trial(FleetStorage storage, String name) {
    List<FleetTrial> rows = rows(storage, TRIALS, name, TRIAL_TABLE);
    if (rows.size() != 1 || !rows.getFirst().format().equals(FleetTrial.FORMAT)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          storage
              + "/"
              + file(TRIALS, name)
              + ": expected one row of the format "
              + FleetTrial.FORMAT
              + ", found "
              + rows.stream().map(FleetTrial::format).toList()
              + ". Export the trial again with this version.");
    }
    return rows.getFirst();
  }

  /**
   * A trial that was read before, again.
   *
   * @throws TerraceException if it was replaced meanwhile
   */
  static FleetTrial unchanged(FleetStorage storage, String name, String revision) {
    FleetTrial trial = trial(storage, name);
    if (!trial.revision().equals(revision)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          storage
              + ": the trial "
              + name
              + " was replaced while it was read. Begin again once its export has ended.");
    }
    return trial;
  }

  /** The files of a trial's requests, as its writer listed them. */
  public static List<FleetFile> files(FleetStorage storage, String trial) {
    return rows(storage, FILES, trial, FILE_TABLE);
  }

  /** The servers of a trial. */
  public static List<Server> servers(FleetStorage storage, String trial) {
    return reading(storage, file(SERVERS, trial), ObservationFiles::readServers);
  }

  /** The events of a trial, in the order in which its observation had them. */
  public static List<Event> events(FleetStorage storage, String trial) {
    return reading(storage, file(EVENTS, trial), ObservationFiles::readEvents);
  }

  /** Hands the requests of a file on, in their order. */
  static void requests(
      FleetStorage storage, String trial, FleetFile file, PartitionFiles.Rows rows) {
    reading(
        storage,
        file.path(trial),
        (bytes, name) -> {
          PartitionFiles.read(bytes, name, rows);
          return name;
        });
  }

  static String file(String table, String trial) {
    return PartitionNames.ofTrial(table, trial) + "/" + table + PARQUET;
  }

  private static <R> List<R> rows(
      FleetStorage storage, String table, String trial, ParquetTable<R> form) {
    return reading(
        storage,
        file(table, trial),
        (bytes, name) -> {
          List<R> rows = new ArrayList<>();
          form.read(bytes, rows::add);
          return rows;
        });
  }

  private static <T> T reading(FleetStorage storage, String file, Reading<T> reading) {
    String name = storage + "/" + file;
    try (SeekableByteChannel bytes = storage.open(file)) {
      return reading.from(bytes, name);
    } catch (NoSuchFileException e) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          name + ": the data set lists this file and lacks it. Export its trial again.",
          e);
    } catch (IOException e) {
      throw unreadable(name, e);
    } catch (TerraceException e) {
      throw e;
    } catch (InvalidPathException e) {
      throw PartitionNames.notOfLocale(name, e);
    } catch (RuntimeException e) {
      // The Parquet library answers damage with unchecked exceptions of many kinds.
      throw unreadable(name, new IOException("it is damaged (" + e + ")", e));
    }
  }

  private static TerraceException unreadable(String name, IOException cause) {
    return new TerraceException(
        ErrorCode.BAD_INPUT,
        name + ": " + cause.getMessage() + ". Correct it, or export its trial again.",
        cause);
  }

  static ParquetTable<FleetTrial> trialTable() {
    return TRIAL_TABLE;
  }

  static ParquetTable<FleetFile> fileTable() {
    return FILE_TABLE;
  }
}
