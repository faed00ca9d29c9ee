package org.terrace.analysis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Findings;
import org.terrace.core.RadixSort;

/**
 * The stalls of one server, and what it did in them, by both directions of its messages: the
 * answers it gave and the calls it made.
 *
 * <p>It stood still where its {@link Turns} end too seldom: it had something in hand and neither
 * answered nor called. But it waited where it could not call: nearly as many of its calls to one
 * server as ever were in flight, and none was answered, so that what it had in hand waited for a
 * connection of its pool. It also waited where answers alone were missing and its calls were in
 * flight longer than anything was in its hands; then the server with the most of its calls in
 * flight is the one it waited for. And it waited for a called server that stood still meanwhile
 * with its calls in hand, however many connections it once had. A server that makes no calls can
 * only stand still.
 */
final class ServerStalls {
  /** A stall of answers that is at least so much a standstill is that standstill. */
  private static final double SAME = 0.5;

  /**
   * The mean part of the most calls ever in flight at once that are all connections: answers and
   * calls that pass each other on the way, and sessions that are told to end, make the most larger.
   */
  private static final double ALL_IN_FLIGHT = 0.75;

  /** The part of a stall at either end that belongs to others, and of connections that are. */
  private static final double EDGE = 0.05;

  /** Whoever never made two calls at once may have had few to make. */
  private static final int FEWEST_AT_ONCE = 2;

  private ServerStalls() {}

  /** The stalls in order of time, and the work units measured outside of them. */
  static StallDetector.Detection detect(
      ServerRequests requests,
      List<CallsOut> calls,
      Cells cells,
      Residences residences,
      Stretch stretch,
      RadixSort sort) {
    int parallel = Parallelism.seen(requests, sort);
    StallDetector.Detection answers = StallDetector.detect(requests, cells, residences, parallel);
    if (calls.isEmpty()) {
      return answers;
    }
    ServerRequests turns = Turns.of(requests, calls, sort);
    StallDetector.Detection ofTurns =
        StallDetector.detect(
            turns,
            Cells.of(turns, stretch, cells.lost),
            Residences.of(turns, stretch, sort),
            parallel);
    List<DetectedStall> standstills = ofTurns.stalls();
    CallsOut inHand = new CallsOut(requests.server, turns.arrival, turns.departure);
    List<DetectedStall> all = new ArrayList<>(standstills);
    for (DetectedStall stall : answers.stalls()) {
      long shared = standstills.stream().mapToLong(stall::sharedNanos).sum();
      if (shared < SAME * stall.lengthNanos()) {
        String awaited = awaited(stall, calls, inHand);
        all.add(awaited == null ? stall : stall.waitingFor(awaited));
      }
    }
    all.sort(Comparator.comparingLong(DetectedStall::startNanos));
    judgeByConnections(all, calls, sort);
    return new StallDetector.Detection(all, answers.units(), ofTurns.shortestNanos());
  }

  /** The called servers that had calls in hand for nearly all of each standstill. */
  static List<List<String>> mayBeHeldBy(List<DetectedStall> stalls, List<CallsOut> calls) {
    return stalls.stream()
        .map(stall ->
            calls.stream()
                .filter(each -> stall.behaviour() == Findings.Behaviour.STOOD_STILL)
                .filter(each -> each.inFlightNanos(stall) >= nearlyAll(stall))
                .map(each -> each.target)
                .toList())
        .toList();
  }

  /**
   * Makes each standstill a wait in which a called server stood still too, with calls in hand.
   *
   * @param held of each stall, the servers of {@link #mayBeHeldBy}
   */
  static List<DetectedStall> judgeByCalled(
      List<DetectedStall> stalls,
      List<List<String>> held,
      Function<String, List<DetectedStall>> stallsOf) {
    List<DetectedStall> judged = new ArrayList<>();
    for (int i = 0; i < stalls.size(); i++) {
      DetectedStall stall = stalls.get(i);
      judged.add(
          held.get(i).stream()
              .filter(called ->
                  stallsOf.apply(called).stream().mapToLong(stall::sharedNanos).sum()
                      >= nearlyAll(stall))
              .findFirst()
              .map(stall::waitingFor)
              .orElse(stall));
    }
    return judged;
  }

  private static double nearlyAll(DetectedStall stall) {
    return (1 - 2 * EDGE) * stall.lengthNanos();
  }

  /** Makes each standstill a wait in which all connections to one server waited for it. */
  private static void judgeByConnections(
      List<DetectedStall> stalls, List<CallsOut> calls, RadixSort sort) {
    for (CallsOut each : stalls.isEmpty() ? List.<CallsOut>of() : calls) {
      int most = each.mostInFlight(sort);
      if (most >= FEWEST_AT_ONCE) {
        stalls.replaceAll(
            stall -> holdsAll(each, most, stall) ? stall.waitingFor(each.target) : stall);
      }
    }
  }

  /** Whether most calls that ever were in flight were so in a standstill, and hardly any ended. */
  private static boolean holdsAll(CallsOut calls, int most, DetectedStall stall) {
    long edge = (long) (EDGE * stall.lengthNanos());
    return stall.behaviour() == Findings.Behaviour.STOOD_STILL
        && calls.answeredWithin(stall.startNanos() + edge, stall.endNanos() - edge) <= EDGE * most
        && calls.inFlightNanos(stall) >= ALL_IN_FLIGHT * most * stall.lengthNanos();
  }

  /** The server that was waited for, or null when more was in hand than in flight. */
  private static @Nullable String awaited(
      DetectedStall stall, List<CallsOut> calls, CallsOut inHand) {
    long all = 0;
    long most = 0;
    String awaited = null;
    for (CallsOut each : calls) {
      long inFlight = each.inFlightNanos(stall);
      all += inFlight;
      if (inFlight > most) {
        most = inFlight;
        awaited = each.target;
      }
    }
    return all > inHand.inFlightNanos(stall) ? awaited : null;
  }
}
