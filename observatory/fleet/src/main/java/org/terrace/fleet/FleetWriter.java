package org.terrace.fleet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.terrace.analysis.Analysis;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;
import org.terrace.observation.Observation;
import org.terrace.observation.ObservationFiles;
import org.terrace.observation.PartitionFiles;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/**
 * Adds trials to a data set on this machine. A trial appears whole or not at all, and one that is
 * replaced is there until then or comes back, however the writing ends; writers of different trials
 * do not disturb each other, and of two of the same trial one is refused. Takes 4 bytes of memory a
 * request beyond the observation. Stateless.
 */
public final class FleetWriter {
  /** The files of one trial's requests, at most; more come of times that are wrong. */
  static final int FILES_MAX = 100_000;

  private FleetWriter() {}

  /** Whether a data set has a trial. */
  public static boolean has(Path fleet, String trial) {
    try {
      return Files.exists(fleet.resolve(FleetReader.file(FleetReader.TRIALS, trial)));
    } catch (InvalidPathException e) {
      throw PartitionNames.notOfLocale(fleet + ": the trial " + trial, e);
    }
  }

  /**
   * Adds an observation as a trial.
   *
   * @param fleet the folder of the data set, which is made if it is not there
   * @param trial the name of the trial
   * @param replace whether a trial of that name is replaced
   * @return what the data set says of it
   * @throws TerraceException if there is a trial of that name already, if another writer has it, if
   *     a name cannot be that of a folder, or if nothing can be written
   */
  public static FleetTrial add(Path fleet, String trial, Observation observation, boolean replace) {
    FleetTrial described =
        new FleetTrial(
            FleetTrial.FORMAT,
            observation.requests().size(),
            Analysis.stretchOf(observation),
            observation.requests().servers(),
            observation.requests().requestClasses(),
            UUID.randomUUID().toString());
    TrialFolders folders = new TrialFolders(fleet, trial);
    TrialFolders.restoreEnded(fleet);
    try (TrialLock _ = TrialLock.take(fleet, trial)) {
      folders.restore();
      refuseIfThere(fleet, trial, replace);
      try {
        write(folders, trial, observation, described);
        for (TrialFolders.Move move : folders.publication()) {
          move.make();
        }
      } finally {
        folders.restore();
      }
    } catch (IOException e) {
      throw new TerraceException(
          ErrorCode.MACHINE_LACKS,
          fleet
              + ": the trial "
              + trial
              + " cannot be written: "
              + e.getMessage()
              + ". Free space, or choose another folder.",
          e);
    } catch (InvalidPathException e) {
      throw PartitionNames.notOfLocale(fleet + ": the trial " + trial, e);
    }
    return described;
  }

  private static void refuseIfThere(Path fleet, String trial, boolean replace) throws IOException {
    boolean isThere = has(fleet, trial);
    String folder = PartitionNames.folder("trial", trial);
    if (isThere && !FleetStorage.of(fleet).list(FleetReader.TRIALS).contains(folder)) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          fleet
              + ": there is a trial whose name differs from "
              + trial
              + " in small and capital letters alone, which its file system takes for the same. Give"
              + " this one another name.");
    }
    if (!replace && isThere) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          fleet
              + ": there is a trial "
              + trial
              + " already. Give this one another name, or replace that one with --replace.");
    }
  }

  private static void write(
      TrialFolders folders, String trial, Observation observation, FleetTrial described)
      throws IOException {
    ObservationFiles.writeServers(file(folders, FleetReader.SERVERS), observation.servers());
    ObservationFiles.writeEvents(file(folders, FleetReader.EVENTS), observation.events());
    ObservationFiles.writeSamples(file(folders, FleetReader.SAMPLES), observation.samples());
    ObservationFiles.writeConnections(
        file(folders, FleetReader.CONNECTIONS), observation.connections());
    Path requests = folders.unfinished(FleetReader.REQUESTS);
    Files.createDirectories(requests);
    List<FleetFile> files = new ArrayList<>();
    RequestTable table = observation.requests();
    for (Map.Entry<Place, Rows> part : parts(trial, table).entrySet()) {
      int[] rows = part.getValue().taken();
      FleetFile file = part.getKey().file(table, rows);
      PartitionFiles.write(requireNew(requests.resolve(file.pathInTrial())), table, rows);
      files.add(file);
    }
    FleetReader.fileTable().write(file(folders, FleetReader.FILES), files);
    FleetReader.trialTable().write(file(folders, FleetReader.TRIALS), List.of(described));
  }

  /** A file of a new folder, which is there already only if its file system mixes up two names. */
  static Path requireNew(Path file) throws IOException {
    if (Files.exists(file)) {
      throw new IOException(
          file
              + " is there already, for another server or caller: its file system takes names for one that differ in small and capital letters alone");
    }
    return file;
  }

  private static Path file(TrialFolders folders, String table) {
    return folders.unfinished(table).resolve(table + FleetReader.PARQUET);
  }

  /** The requests of a file, by the numbers that the table has for names. */
  private record Place(int server, long hour, int caller) implements Comparable<Place> {
    private static final int NO_SERVER = -1;

    FleetFile file(RequestTable table, int[] rows) {
      return new FleetFile(
          table.servers().get(server),
          PartitionNames.hour(hour),
          caller == NO_SERVER ? Server.CLIENTS : table.servers().get(caller),
          rows.length,
          table.arrivalNanos(rows[0]),
          table.arrivalNanos(rows[rows.length - 1]));
    }

    @Override
    public int compareTo(Place other) {
      int byServer = Integer.compare(server, other.server);
      int byHour = byServer == 0 ? Long.compare(hour, other.hour) : byServer;
      return byHour == 0 ? Integer.compare(caller, other.caller) : byHour;
    }
  }

  /** The rows of one file as they are found. */
  private static final class Rows {
    private int[] rows = new int[64];
    private int size;

    void add(int row) {
      rows = size == rows.length ? Arrays.copyOf(rows, 2 * size) : rows;
      rows[size++] = row;
    }

    int[] taken() {
      return Arrays.copyOf(rows, size);
    }
  }

  private static Map<Place, Rows> parts(String trial, RequestTable table) {
    int[] callers =
        table.clients().stream()
            .mapToInt(name ->
                name.equals(Server.CLIENTS) ? Place.NO_SERVER : table.servers().indexOf(name))
            .toArray();
    Map<Place, Rows> parts = new TreeMap<>();
    for (int row = 0; row < table.size(); row++) {
      Place place =
          new Place(
              table.server(row),
              PartitionNames.hourOf(table.arrivalNanos(row)),
              callers[table.client(row)]);
      parts.computeIfAbsent(place, each -> new Rows()).add(row);
      if (parts.size() > FILES_MAX) {
        throw new TerraceException(
            ErrorCode.BAD_INPUT,
            "the requests of the trial "
                + trial
                + " are of more than "
                + FILES_MAX
                + " servers, hours and callers; expected fewer. Their times may be wrong: look at"
                + " the first and the last arrival.");
      }
    }
    return parts;
  }
}
