package org.terrace.seven.ticketcenter;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;
import org.terrace.seven.application.NumberReply;
import org.terrace.seven.application.Randoms;
import org.terrace.seven.application.Step;
import org.terrace.seven.application.Workload;

/**
 * A travel agent: a fifth of the calls searches, a fifth asks for free seats, a quarter buys (half
 * of it the earliest departure found, half a seat of choice), a fifth cancels, the rest asks for
 * the status of a reservation.
 */
final class TicketCenterWorkload implements Workload<TicketCenter> {
  /** Reservations an agent holds at most. */
  private static final int HELD_MAX = 60;

  private final RandomGenerator random;
  private final String agent;
  private final int replyBytes;
  private final Deque<Long> held = new ArrayDeque<>();
  private int found = 1;

  TicketCenterWorkload(long seed, int client, int replyBytes) {
    this.random = Randoms.ofClient(seed, client);
    this.agent = "agent" + client;
    this.replyBytes = replyBytes;
  }

  @Override
  public Step<TicketCenter, ?> next() {
    int dice = random.nextInt(100);
    if (dice < 20) {
      String[] towns =
          TicketCenterApplication.route(random.nextInt(TicketCenterApplication.DEPARTURES));
      return Step.of(
          "search", center -> center.search(towns[0], towns[1], replyBytes), this::remember);
    } else if (dice < 40) {
      int departure = anyDeparture();
      return Step.of("freeSeats", center -> center.freeSeats(departure, replyBytes));
    } else if (held.isEmpty() || (dice < 65 && held.size() < HELD_MAX)) {
      return random.nextBoolean()
          ? buy(found, 0)
          : buy(anyDeparture(), 1 + random.nextInt(TicketCenterApplication.SEATS));
    } else if (dice < 85) {
      long reservation = held.removeFirst();
      return Step.of("cancel", center -> center.cancel(reservation, replyBytes));
    }
    long reservation = held.getFirst();
    return Step.of("status", center -> center.status(reservation, replyBytes));
  }

  private Step<TicketCenter, NumberReply> buy(int departure, int seat) {
    return Step.of(
        "buy",
        center -> center.buy(departure, seat, agent, replyBytes),
        reservation -> held.addLast(reservation.value()));
  }

  private int anyDeparture() {
    return 1 + random.nextInt(TicketCenterApplication.DEPARTURES);
  }

  private void remember(Schedule schedule) {
    if (!schedule.departures().isEmpty()) {
      found = schedule.departures().getFirst().number();
    }
  }
}
