package org.terrace.seven.parknpark;

import java.util.ArrayList;
import java.util.List;
import org.terrace.control.Style;
import org.terrace.core.TimeSource;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Effect;
import org.terrace.seven.application.Invariant;
import org.terrace.seven.application.Sql;
import org.terrace.seven.application.Workload;

/** Park'n Park: {@value #LOTS} lots on a grid of streets, small enough that some are often full. */
public final class ParkNParkApplication implements Application<ParkNPark> {
  static final int LOTS = 12;
  private static final int LOTS_IN_A_ROW = 4;
  private static final int SMALLEST_LOT = 15;
  private static final int SPACES_MORE_EACH = 5;

  @Override
  public String name() {
    return "park-n-park";
  }

  @Override
  public Published published() {
    return new Published("CORBA", Style.WARM_PASSIVE, 3, 4, 75);
  }

  @Override
  public Class<ParkNPark> service() {
    return ParkNPark.class;
  }

  @Override
  public ParkNPark rules(TimeSource time) {
    return new ParkNParkRules();
  }

  @Override
  public List<String> schema() {
    return List.of(
        """
        CREATE TABLE lot (
          id INT PRIMARY KEY,
          name VARCHAR(8) NOT NULL UNIQUE,
          grid_column INT NOT NULL,
          grid_row INT NOT NULL,
          spaces INT NOT NULL,
          available INT NOT NULL,
          last_ticket BIGINT NOT NULL)
        """,
        """
        CREATE TABLE stay (
          ticket BIGINT PRIMARY KEY,
          lot INT NOT NULL,
          parked INT NOT NULL,
          FOREIGN KEY (lot) REFERENCES lot (id))
        """,
        "CREATE INDEX stay_of_lot ON stay (lot, parked)");
  }

  @Override
  public List<String> tables() {
    return List.of("stay", "lot");
  }

  @Override
  public void seed(Sql sql) {
    List<Object[]> rows = new ArrayList<>();
    for (int i = 0; i < LOTS; i++) {
      int spaces = SMALLEST_LOT + i * SPACES_MORE_EACH;
      rows.add(
          new Object[] {
            i + 1, lotName(i), i % LOTS_IN_A_ROW, i / LOTS_IN_A_ROW, spaces, spaces, 0L
          });
    }
    sql.batch(
        "INSERT INTO lot (id, name, grid_column, grid_row, spaces, available, last_ticket)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?)",
        rows);
  }

  static String lotName(int index) {
    return "P%02d".formatted(index + 1);
  }

  @Override
  public Workload<ParkNPark> workload(long seed, int client, int replyBytes) {
    return new ParkNParkWorkload(seed, client, replyBytes);
  }

  @Override
  public List<Invariant> invariants() {
    return List.of(
        Invariant.ofQuery(
            "spaces-in-bounds",
            "A lot never has fewer than no spaces free, nor more than it has.",
            "SELECT name FROM lot WHERE available < 0 OR available > spaces"),
        Invariant.ofQuery(
            "spaces-conserved",
            "The free spaces of a lot and those of parked cars are all of its spaces.",
            "SELECT name FROM lot WHERE spaces - available"
                + " <> (SELECT count(*) FROM stay WHERE stay.lot = lot.id AND parked = 1)"),
        Invariant.ofQuery(
            "tickets-counted",
            "A lot has issued as many tickets as it has counted.",
            "SELECT name FROM lot WHERE last_ticket"
                + " <> (SELECT count(*) FROM stay WHERE stay.lot = lot.id)"));
  }

  @Override
  public List<Effect> effects() {
    return List.of(
        new Effect("enter", "SELECT ticket FROM stay"),
        new Effect("leave", "SELECT ticket FROM stay WHERE parked = 0"));
  }
}
