package org.terrace.observation;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Arrays;
import org.terrace.observation.table.Column;
import org.terrace.observation.table.ParquetRow;
import org.terrace.observation.table.ParquetTable;
import org.terrace.observation.table.TableColumns;

/**
 * Files of some requests of one server, as the partitions of a data set have them: the columns of
 * the requests table but for {@code server}, which the file's folder tells, behind {@value
 * #POSITION}, the place of the request in the table it is of, from 0. Stateless and thread-safe.
 */
public final class PartitionFiles {
  /** The column of a request's place in its table. */
  public static final String POSITION = "position";

  private static final ParquetTable<Placed> TABLE = new ParquetTable<>(new PlacedColumns());

  private PartitionFiles() {}

  /** A consumer of the requests of a file, in their order. */
  @FunctionalInterface
  public interface Rows {
    /**
     * Takes a request.
     *
     * @param position its place in its table, from 0
     * @param requestClass its class, the same object for equal names of a file
     */
    void row(
        long position,
        String requestClass,
        long intendedNanos,
        long arrivalNanos,
        long departureNanos,
        Outcome outcome);
  }

  /** A request and its place. */
  private record Placed(int position, Request request) {}

  /** Writes some rows of a table, in the order given, into a file that appears whole. */
  public static void write(Path file, RequestTable table, int[] rows) {
    ObservationFiles.writing(
        file,
        path ->
            TABLE.write(
                path,
                () ->
                    Arrays.stream(rows)
                        .mapToObj(row -> new Placed(row, table.request(row)))
                        .iterator()));
  }

  /**
   * Reads a file, wherever its bytes are.
   *
   * @param name its name for messages
   * @throws org.terrace.core.TerraceException if it is damaged or of another shape
   */
  public static void read(SeekableByteChannel bytes, String name, Rows rows) {
    ObservationFiles.reading(
        name,
        () -> {
          new ParquetTable<>(new TakenColumns(rows)).read(bytes, taken -> {});
          return name;
        });
  }

  private static final class PlacedColumns extends TableColumns<Placed> {
    PlacedColumns() {
      super("requests");
      whole(POSITION, Placed::position);
      for (Column<Request> column : new RequestColumns().columns()) {
        if (!column.name().equals(RequestColumns.SERVER)) {
          columnOf(column, Placed::request);
        }
      }
    }

    @Override
    protected Placed row(ParquetRow row) {
      throw new UnsupportedOperationException("partitions are read by TakenColumns");
    }
  }

  /** The columns that an analysis needs, each row of which is handed on at once. */
  private static final class TakenColumns extends TableColumns<String> {
    private static final Outcome[] OUTCOMES = Outcome.values();

    private final Column.Whole<String> position = whole(POSITION, row -> 0);
    private final Column.Text<String> requestClass = text("requestClass", row -> row);
    private final Column.Whole<String> intended = whole("intendedNanos", row -> 0);
    private final Column.Whole<String> arrival = whole("arrivalNanos", row -> 0);
    private final Column.Whole<String> departure = whole("departureNanos", row -> 0);
    private final Column.Text<String> outcome = text("outcome", row -> row);
    private final Rows rows;

    TakenColumns(Rows rows) {
      super("requests");
      this.rows = rows;
    }

    @Override
    protected String row(ParquetRow row) throws IOException {
      long place = row.whole(position, 0);
      String named = row.text(requestClass, "");
      rows.row(
          place,
          named,
          row.whole(intended, 0),
          row.whole(arrival, 0),
          row.whole(departure, 0),
          outcome(row));
      return named;
    }

    private Outcome outcome(ParquetRow row) throws IOException {
      String name = row.text(outcome, "");
      for (Outcome each : OUTCOMES) {
        if (each.name().equals(name)) {
          return each;
        }
      }
      throw new IOException("%soutcome is '%s'".formatted(row.where(), name));
    }
  }
}
