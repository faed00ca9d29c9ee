package org.terrace.fleet;

import java.io.IOException;
import org.terrace.observation.table.Column;
import org.terrace.observation.table.ParquetRow;
import org.terrace.observation.table.TableColumns;

/**
 * A file of requests of a trial: those of one server that came in one hour from one caller.
 * Immutable.
 *
 * @param server the server that answered
 * @param hour the hour of their arrival in UTC, such as {@code 2026-11-27-09}
 * @param caller the server of the trial that asked, or {@code clients} for whoever is none
 * @param requests how many there are
 * @param firstArrivalNanos the first arrival, in nanoseconds since the Unix epoch
 * @param lastArrivalNanos the last arrival
 */
public record FleetFile(
    String server,
    String hour,
    String caller,
    long requests,
    long firstArrivalNanos,
    long lastArrivalNanos) {

  /** The path of the file in the data set. */
  public String path(String trial) {
    return PartitionNames.ofTrial(FleetReader.REQUESTS, trial) + "/" + pathInTrial();
  }

  /** Its path below the folder of its trial's requests. */
  String pathInTrial() {
    return PartitionNames.folder("server", server)
        + "/"
        + PartitionNames.folder("hour", hour)
        + "/from-"
        + PartitionNames.escaped(caller)
        + FleetReader.PARQUET;
  }

  /** The columns of the table of files. */
  static final class Columns extends TableColumns<FleetFile> {
    private final Column.Text<FleetFile> server = text("server", FleetFile::server);
    private final Column.Text<FleetFile> hour = text("hour", FleetFile::hour);
    private final Column.Text<FleetFile> caller = text("caller", FleetFile::caller);
    private final Column.Whole<FleetFile> requests = whole("requests", FleetFile::requests);
    private final Column.Whole<FleetFile> first =
        whole("firstArrivalNanos", FleetFile::firstArrivalNanos);
    private final Column.Whole<FleetFile> last =
        whole("lastArrivalNanos", FleetFile::lastArrivalNanos);

    Columns() {
      super("files");
    }

    @Override
    protected FleetFile row(ParquetRow row) throws IOException {
      return new FleetFile(
          row.text(server, ""),
          row.text(hour, ""),
          row.text(caller, ""),
          row.whole(requests, 0),
          row.whole(first, 0),
          row.whole(last, 0));
    }
  }
}
