package org.terrace.tracing.stitch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.terrace.observation.Exchange;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.ValueSketch;
import org.terrace.testing.tiers.TierCall;

/** Drawn traffic as the table that a capture of it would give. */
final class TierTables {
  private TierTables() {}

  static RequestTable of(List<TierCall> calls) {
    RequestTable.Builder builder = new RequestTable.Builder();
    calls.forEach(call -> builder.accept(row(call, call.requestClass(), call.connection())));
    return builder.build();
  }

  /** The facts left where a protocol is unknown: times, and a connection for each call. */
  static RequestTable timesAlone(List<TierCall> calls) {
    RequestTable.Builder builder = new RequestTable.Builder();
    for (int place = 0; place < calls.size(); place++) {
      builder.accept(row(calls.get(place), "request", place));
    }
    return builder.build();
  }

  /** The same table of traffic in whose bytes nobody looked for values. */
  static RequestTable withoutValues(List<TierCall> calls) {
    RequestTable.Builder builder = new RequestTable.Builder();
    calls.forEach(call ->
        builder.accept(
            row(call, call.requestClass(), call.connection()).withCarriedValues(ValueSketch.NONE)));
    return builder.build();
  }

  /** The same table in which each statement carries the value of one that came by chance. */
  static RequestTable withValuesOfOthers(List<TierCall> calls, RandomGenerator random) {
    List<TierCall> statements =
        new ArrayList<>(calls.stream().filter(call -> call.server().equals("db")).toList());
    Collections.shuffle(statements, random);
    RequestTable.Builder builder = new RequestTable.Builder();
    int next = 0;
    for (TierCall call : calls) {
      TierCall other = call.server().equals("db") ? statements.get(next++) : call;
      builder.accept(
          row(call, call.requestClass(), call.connection())
              .withCarriedValues(ValueSketch.add(ValueSketch.NONE, other.value())));
    }
    return builder.build();
  }

  static Request row(TierCall call, String requestClass, int connection) {
    return new Request(
        call.server(),
        requestClass,
        call.client(),
        call.startNanos(),
        call.startNanos(),
        call.endNanos(),
        call.bytesIn(),
        call.bytesOut(),
        Outcome.OK,
        connection,
        Exchange.NONE,
        call.identifier(),
        ValueSketch.add(ValueSketch.NONE, call.value()),
        null);
  }
}
