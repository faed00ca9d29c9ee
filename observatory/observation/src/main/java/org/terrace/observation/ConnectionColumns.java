package org.terrace.observation;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.terrace.observation.ObservedConnection.Beginning;
import org.terrace.observation.ObservedConnection.Ending;
import org.terrace.observation.table.Column;
import org.terrace.observation.table.ParquetRow;
import org.terrace.observation.table.TableColumns;
import org.terrace.observation.table.TableRow;

/** The columns of the connections table. */
final class ConnectionColumns extends TableColumns<ObservedConnection> {
  private final Column.Whole<ObservedConnection> connection =
      whole("connection", ObservedConnection::connection);
  private final Column.Text<ObservedConnection> server = text("server", ObservedConnection::server);
  private final Column.Text<ObservedConnection> clientAddress =
      text("clientAddress", ObservedConnection::clientAddress);
  private final Column.Text<ObservedConnection> serverAddress =
      text("serverAddress", ObservedConnection::serverAddress);
  private final Column.Text<ObservedConnection> protocol =
      text("protocol", ObservedConnection::protocol);
  private final Column.Text<ObservedConnection> evidence =
      text("evidence", ObservedConnection::evidence);
  private final Column.Whole<ObservedConnection> backend =
      nullableWhole("backend", ObservedConnection::backend);
  private final Column.Whole<ObservedConnection> firstFrame =
      whole("firstFrame", ObservedConnection::firstFrame);
  private final Column.Whole<ObservedConnection> lastFrame =
      whole("lastFrame", ObservedConnection::lastFrame);
  private final Column.Whole<ObservedConnection> start =
      whole("startNanos", ObservedConnection::startNanos);
  private final Column.Whole<ObservedConnection> end =
      whole("endNanos", ObservedConnection::endNanos);
  private final Column.Text<ObservedConnection> beginning =
      text("beginning", row -> row.beginning().name());
  private final Column.Text<ObservedConnection> ending = text("ending", row -> row.ending().name());
  private final Column.Whole<ObservedConnection> bytesIn =
      whole("bytesIn", ObservedConnection::bytesIn);
  private final Column.Whole<ObservedConnection> bytesOut =
      whole("bytesOut", ObservedConnection::bytesOut);
  private final Column.Whole<ObservedConnection> requests =
      whole("requests", ObservedConnection::requests);

  private final Column.Text<ObservedConnection> point =
      nullableText("point", ConnectionColumns::point);
  private final Column.Whole<ObservedConnection> pointStart =
      nullableWhole("pointStartNanos", row -> recorded(row, PointTimes::startNanos));
  private final Column.Whole<ObservedConnection> pointEnd =
      nullableWhole("pointEndNanos", row -> recorded(row, PointTimes::endNanos));

  ConnectionColumns() {
    super("connections");
  }

  private static @Nullable String point(ObservedConnection row) {
    PointTimes recorded = row.recorded();
    return recorded == null ? null : recorded.point();
  }

  private static long recorded(ObservedConnection row, ToLongFunction<PointTimes> value) {
    PointTimes recorded = row.recorded();
    return recorded == null ? Column.ABSENT : value.applyAsLong(recorded);
  }

  @Override
  protected ObservedConnection row(ParquetRow row) throws IOException {
    return connection(row);
  }

  /** The connection that a row holds, of whichever kind its file is. */
  ObservedConnection connection(TableRow row) throws IOException {
    long number = row.whole(connection, 0);
    long startNanos = row.whole(start, 0);
    long endNanos = row.whole(end, 0);
    if (number != (int) number || endNanos < startNanos) {
      throw new IOException(
          "%sconnection %d from startNanos %d to endNanos %d; expected a number of 32 bits, and an"
                  .formatted(row.where(), number, startNanos, endNanos)
              + " end not before the start");
    }
    return new ObservedConnection(
        (int) number,
        row.text(server, ""),
        row.text(clientAddress, ""),
        row.text(serverAddress, ""),
        row.text(protocol, ""),
        row.text(evidence, ""),
        row.whole(backend, ObservedConnection.UNKNOWN),
        row.whole(firstFrame, 0),
        row.whole(lastFrame, 0),
        startNanos,
        endNanos,
        named(row, beginning, List.of(Beginning.values())),
        named(row, ending, List.of(Ending.values())),
        row.whole(bytesIn, 0),
        row.whole(bytesOut, 0),
        row.whole(requests, 0),
        PointTimes.of(row, point, pointStart, pointEnd));
  }

  private static <E extends Enum<E>> E named(
      TableRow row, Column.Text<ObservedConnection> column, List<E> values) throws IOException {
    String name = row.text(column, "");
    for (E each : values) {
      if (each.name().equals(name.toUpperCase(Locale.ROOT))) {
        return each;
      }
    }
    throw new IOException(
        "%s%s is '%s'; expected one of %s".formatted(row.where(), column.name(), name, values));
  }
}
