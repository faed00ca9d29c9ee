package org.terrace.studies.services;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.terrace.core.ErrorCode;
import org.terrace.core.RequestIdentity;
import org.terrace.core.TerraceException;
import org.terrace.studies.probes.ProbeRows;

/**
 * The rows that the probes of a client or replica wrote. Immutable.
 *
 * @param rows identities and times, in the order of issue
 * @param methods the name of each call's method
 */
public record ProbeFile(ProbeRows rows, List<String> methods) {
  private static final int CLASS = 1;
  private static final int CLIENT = 2;
  private static final int ARRIVAL = 3;
  private static final int DEPARTURE = 4;
  private static final int SEQUENCE = 8;
  private static final int HEXADECIMAL = 16;

  private record Row(RequestIdentity identity, String method, long start, long end) {}

  /** Copies the names. */
  public ProbeFile {
    methods = List.copyOf(methods);
  }

  /**
   * Reads the comma-separated values of some probes as one.
   *
   * @throws TerraceException if a file is absent or damaged
   */
  public static ProbeFile read(List<Path> files) {
    List<Row> rows = new ArrayList<>();
    for (Path file : files) {
      try (Stream<String> lines = Files.lines(file)) {
        lines.skip(1).map(line -> row(file, line)).forEach(rows::add);
      } catch (IOException e) {
        throw new TerraceException(
            ErrorCode.CHECK_FAILED, "the probes " + file + " cannot be read: " + e, e);
      }
    }
    rows.sort((a, b) -> Long.compare(a.start, b.start));
    return new ProbeFile(
        new ProbeRows(
            rows.stream().map(Row::identity).toList(),
            rows.stream().mapToLong(Row::start).toArray(),
            rows.stream().mapToLong(Row::end).toArray()),
        rows.stream().map(Row::method).toList());
  }

  private static Row row(Path file, String line) {
    String[] columns = line.split(",", -1);
    try {
      return new Row(
          new RequestIdentity(
              Long.parseUnsignedLong(columns[CLIENT], HEXADECIMAL),
              Long.parseLong(columns[SEQUENCE])),
          columns[CLASS],
          Long.parseLong(columns[ARRIVAL]),
          Long.parseLong(columns[DEPARTURE]));
    } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
      throw new TerraceException(
          ErrorCode.CHECK_FAILED, file + " holds a line that is no probe: " + line, e);
    }
  }
}
