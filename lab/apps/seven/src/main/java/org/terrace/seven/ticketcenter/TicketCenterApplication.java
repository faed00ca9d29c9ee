package org.terrace.seven.ticketcenter;

import java.util.ArrayList;
import java.util.List;
import org.terrace.control.Style;
import org.terrace.core.TimeSource;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Invariant;
import org.terrace.seven.application.Sql;
import org.terrace.seven.application.Workload;

/** Ticket Center: {@value #DEPARTURES} departures of {@value #SEATS} seats between a few towns. */
public final class TicketCenterApplication implements Application<TicketCenter> {
  static final int DEPARTURES = 48;
  static final int SEATS = 40;

  private static final List<String> TOWNS = List.of("PIT", "PHL", "NYC", "BOS");
  private static final int FIRST_MINUTE = 6 * 60;
  private static final int MINUTES_APART = 20;
  private static final int CHEAPEST_CENTS = 1_200;
  private static final int CENTS_MORE_EACH = 50;

  @Override
  public String name() {
    return "ticket-center";
  }

  @Override
  public Published published() {
    return new Published("CORBA", Style.ACTIVE, 16, 4, 100);
  }

  @Override
  public Class<TicketCenter> service() {
    return TicketCenter.class;
  }

  @Override
  public TicketCenter rules(TimeSource time) {
    return new TicketCenterRules();
  }

  @Override
  public List<String> schema() {
    return List.of(
        """
        CREATE TABLE departure (
          id INT PRIMARY KEY,
          origin VARCHAR(8) NOT NULL,
          destination VARCHAR(8) NOT NULL,
          minute_of_day INT NOT NULL,
          cents INT NOT NULL,
          seats INT NOT NULL,
          sold INT NOT NULL,
          revenue_cents BIGINT NOT NULL,
          last_reservation BIGINT NOT NULL)
        """,
        "CREATE INDEX departure_between ON departure (origin, destination, minute_of_day)",
        """
        CREATE TABLE reservation (
          id BIGINT PRIMARY KEY,
          departure INT NOT NULL,
          seat INT NOT NULL,
          passenger VARCHAR(40) NOT NULL,
          booked INT NOT NULL,
          paid_cents INT NOT NULL,
          FOREIGN KEY (departure) REFERENCES departure (id))
        """,
        "CREATE INDEX reservation_of_departure ON reservation (departure, booked)",
        """
        CREATE TABLE seat (
          departure INT NOT NULL,
          number INT NOT NULL,
          reservation BIGINT,
          PRIMARY KEY (departure, number),
          FOREIGN KEY (departure) REFERENCES departure (id))
        """);
  }

  @Override
  public List<String> tables() {
    return List.of("seat", "reservation", "departure");
  }

  @Override
  public void seed(Sql sql) {
    List<Object[]> departures = new ArrayList<>();
    List<Object[]> seats = new ArrayList<>();
    for (int i = 0; i < DEPARTURES; i++) {
      String[] towns = route(i);
      departures.add(
          new Object[] {
            i + 1,
            towns[0],
            towns[1],
            FIRST_MINUTE + i * MINUTES_APART,
            CHEAPEST_CENTS + i * CENTS_MORE_EACH,
            SEATS
          });
      for (int seat = 1; seat <= SEATS; seat++) {
        seats.add(new Object[] {i + 1, seat});
      }
    }
    sql.batch(
        "INSERT INTO departure (id, origin, destination, minute_of_day, cents, seats, sold,"
            + " revenue_cents, last_reservation) VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0)",
        departures);
    sql.batch("INSERT INTO seat (departure, number) VALUES (?, ?)", seats);
  }

  /** Origin and destination of a departure; all pairs of different towns take turns. */
  static String[] route(int index) {
    int pair = index % (TOWNS.size() * (TOWNS.size() - 1));
    int origin = pair / (TOWNS.size() - 1);
    int destination = pair % (TOWNS.size() - 1);
    if (destination >= origin) {
      destination++;
    }
    return new String[] {TOWNS.get(origin), TOWNS.get(destination)};
  }

  @Override
  public Workload<TicketCenter> workload(long seed, int client, int replyBytes) {
    return new TicketCenterWorkload(seed, client, replyBytes);
  }

  @Override
  public List<Invariant> invariants() {
    return List.of(
        Invariant.ofQuery(
            "no-double-booking",
            "A seat of a departure belongs to one reservation at most.",
            "SELECT concat('seat ', seat, ' of departure ', departure) FROM reservation"
                + " WHERE booked = 1 GROUP BY departure, seat HAVING count(*) > 1"),
        Invariant.ofQuery(
            "seats-and-reservations-agree",
            "A seat is taken by the reservation that holds it, and every held seat is taken.",
            "SELECT concat('seat ', s.number, ' of departure ', s.departure) FROM seat s"
                + " LEFT JOIN reservation r ON r.departure = s.departure AND r.seat = s.number"
                + " AND r.booked = 1 WHERE coalesce(s.reservation, 0) <> coalesce(r.id, 0)"),
        Invariant.ofQuery(
            "seats-conserved",
            "A departure has sold as many seats as are reserved, and no more than it has.",
            "SELECT concat('departure ', id) FROM departure d WHERE sold < 0 OR sold > seats"
                + " OR sold <> (SELECT count(*) FROM reservation r"
                + " WHERE r.departure = d.id AND booked = 1)"),
        Invariant.ofQuery(
            "money-conserved",
            "What a departure has earned is what its passengers paid and did not get back.",
            "SELECT concat('departure ', id) FROM departure d WHERE revenue_cents"
                + " <> (SELECT coalesce(sum(paid_cents), 0) FROM reservation r"
                + " WHERE r.departure = d.id)"));
  }
}
