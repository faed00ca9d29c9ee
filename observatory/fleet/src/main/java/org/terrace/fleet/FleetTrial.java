package org.terrace.fleet;

import java.io.IOException;
import java.util.List;
import org.terrace.analysis.Stretch;
import org.terrace.observation.table.Column;
import org.terrace.observation.table.ParquetRow;
import org.terrace.observation.table.TableColumns;

/**
 * A trial or a capture of a data set: what its tasks must know of the whole. Immutable.
 *
 * @param format the format of the data set that its writer had
 * @param requests its requests, of all servers
 * @param stretch the part of it that is analysed
 * @param servers the servers that its requests name, in the order of its table
 * @param requestClasses the classes that its requests name, in the order of its table
 * @param revision what no other writing of a trial has; empty if its writer gave none
 */
public record FleetTrial(
    String format,
    long requests,
    Stretch stretch,
    List<String> servers,
    List<String> requestClasses,
    String revision) {

  /** The name and version of the format. */
  public static final String FORMAT = "terrace-fleet/1";

  /** Copies the lists. */
  public FleetTrial {
    servers = List.copyOf(servers);
    requestClasses = List.copyOf(requestClasses);
  }

  /** The columns of the table of trials, of which a file has one row. */
  static final class Columns extends TableColumns<FleetTrial> {
    private final Column.Text<FleetTrial> format = text("format", FleetTrial::format);
    private final Column.Whole<FleetTrial> requests = whole("requests", FleetTrial::requests);
    private final Column.Whole<FleetTrial> start =
        whole("startNanos", trial -> trial.stretch().startNanos());
    private final Column.Whole<FleetTrial> end =
        whole("endNanos", trial -> trial.stretch().endNanos());
    private final Column.Text<FleetTrial> basis = text("basis", trial -> trial.stretch().basis());
    private final Column.Texts<FleetTrial> servers = texts("servers", FleetTrial::servers);
    private final Column.Texts<FleetTrial> requestClasses =
        texts("requestClasses", FleetTrial::requestClasses);
    private final Column.Text<FleetTrial> revision = optionalText("revision", FleetTrial::revision);

    Columns() {
      super("trials");
    }

    @Override
    protected FleetTrial row(ParquetRow row) throws IOException {
      return new FleetTrial(
          row.text(format, ""),
          row.whole(requests, 0),
          new Stretch(row.whole(start, 0), row.whole(end, 0), row.text(basis, "")),
          row.texts(servers),
          row.texts(requestClasses),
          row.text(revision, ""));
    }
  }
}
