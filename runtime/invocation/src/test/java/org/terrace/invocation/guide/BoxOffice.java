package org.terrace.invocation.guide;

import javax.sql.DataSource;
import org.terrace.control.*;
import org.terrace.invocation.*;
import org.terrace.invocation.client.*;
import org.terrace.invocation.server.*;

public final class BoxOffice {
  public interface Seats {
    @Update
    int sell(int count) throws Exception;
  }

  static int sellThroughFailOver(DataSource database) throws Exception {
    Seats seats =
        count -> {
          var sql = "UPDATE seats SET free = free - ? RETURNING free";
          try (var update = Invocation.current().connection().prepareStatement(sql)) {
            update.setInt(1, count);
            var left = update.executeQuery();
            if (left.next() && left.getInt(1) >= 0) return left.getInt(1);
            throw new BusinessException("sold-out", "Fewer than " + count + " seats are free.");
          }
        };
    var first = ServiceServer.open(ServerOptions.of("first").withDatabase(database));
    try (var second = ServiceServer.open(ServerOptions.of("second").withDatabase(database))) {
      first.export("seats", Seats.class, seats, Style.WARM_PASSIVE);
      second.export("seats", Seats.class, seats, Style.WARM_PASSIVE);
      var naming = Naming.fixed("seats", Style.WARM_PASSIVE, first.endpoint(), second.endpoint());
      try (var client = ServiceClient.open(ClientOptions.of(naming))) {
        Seats stub = client.stub(Seats.class, "seats");
        stub.sell(2);
        first.close(); // the primary is gone
        return stub.sell(3); // the second replica answers; nothing is sold twice
      }
    }
  }
}
