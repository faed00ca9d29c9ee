package org.terrace.seven.parknpark;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.terrace.invocation.BusinessException;
import org.terrace.seven.application.NumberReply;
import org.terrace.seven.application.Randoms;
import org.terrace.seven.application.Step;
import org.terrace.seven.application.Workload;

/**
 * A gate keeper: a quarter of the calls each lists lots, asks a fee (which needs no database), lets
 * a car in and lets one out. After a full lot the next call asks where else there is room, and the
 * one after it enters there.
 */
final class ParkNParkWorkload implements Workload<ParkNPark> {
  /** Cars a client holds at most, so that many clients can fill the lots but not choke on them. */
  private static final int CARS_MAX = 40;

  private static final int LONGEST_MINUTES = 600;

  private final RandomGenerator random;
  private final int replyBytes;
  private final Deque<Long> tickets = new ArrayDeque<>();
  private @Nullable String fullLot;
  private @Nullable String recommended;

  ParkNParkWorkload(long seed, int client, int replyBytes) {
    this.random = Randoms.ofClient(seed, client);
    this.replyBytes = replyBytes;
  }

  @Override
  public Step<ParkNPark, ?> next() {
    String full = fullLot;
    if (full != null) {
      fullLot = null;
      return Step.of("alternatives", lots -> lots.alternatives(full, replyBytes), this::choose);
    }
    String other = recommended;
    if (other != null) {
      recommended = null;
      return enter(other);
    }
    return switch (random.nextInt(4)) {
      case 0 -> Step.of("getLots", lots -> lots.getLots(replyBytes));
      case 1 -> {
        int minutes = random.nextInt(LONGEST_MINUTES);
        yield Step.of("fee", lots -> lots.fee(minutes, replyBytes));
      }
      case 2 -> tickets.size() < CARS_MAX ? enterAnywhere() : leave();
      default -> tickets.isEmpty() ? enterAnywhere() : leave();
    };
  }

  private Step<ParkNPark, NumberReply> enterAnywhere() {
    return enter(ParkNParkApplication.lotName(random.nextInt(ParkNParkApplication.LOTS)));
  }

  private Step<ParkNPark, NumberReply> enter(String lot) {
    Step<ParkNPark, NumberReply> step =
        new Step<>(
            "enter",
            lots -> lots.enter(lot, replyBytes),
            ticket -> tickets.addLast(ticket.value()),
            refusal -> noteFull(lot, refusal));
    return step.withEffect(NumberReply::value);
  }

  private Step<ParkNPark, NumberReply> leave() {
    long ticket = tickets.removeFirst();
    Step<ParkNPark, NumberReply> step = Step.of("leave", lots -> lots.leave(ticket, replyBytes));
    return step.withEffect(free -> ticket);
  }

  private void noteFull(String lot, BusinessException refusal) {
    if (refusal.code().equals("lot-full")) {
      fullLot = lot;
    }
  }

  private void choose(Lots alternatives) {
    if (!alternatives.lots().isEmpty()) {
      recommended = alternatives.lots().getFirst().name();
    }
  }
}
