package org.terrace.tracing.stitch;

import java.util.List;
import org.terrace.observation.Exchange;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.testing.tiers.TierCall;

/** Drawn traffic as the table that a capture of it would give. */
final class TierTables {
  private TierTables() {}

  static RequestTable of(List<TierCall> calls) {
    RequestTable.Builder builder = new RequestTable.Builder();
    for (TierCall call : calls) {
      builder.accept(
          new Request(
              call.server(),
              call.requestClass(),
              call.client(),
              call.startNanos(),
              call.startNanos(),
              call.endNanos(),
              call.bytesIn(),
              call.bytesOut(),
              Outcome.OK,
              call.connection(),
              Exchange.NONE,
              call.identifier(),
              null));
    }
    return builder.build();
  }
}
