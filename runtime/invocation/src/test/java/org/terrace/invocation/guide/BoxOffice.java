package org.terrace.invocation.guide;

import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.terrace.control.*;
import org.terrace.invocation.*;
import org.terrace.invocation.client.*;
import org.terrace.invocation.server.*;

public final class BoxOffice {
  public interface Seats {
    @Update
    int sell(int count) throws SQLException;
  }

  static int sellThroughFailOver(DataSource database) throws SQLException {
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
      var replicas = List.of(first.endpoint(), second.endpoint());
      first.export("seats", Seats.class, seats, Style.WARM_PASSIVE);
      second.export("seats", Seats.class, seats, Style.WARM_PASSIVE);
      var reference = new ServiceReference("seats", Style.WARM_PASSIVE, 1, 1, replicas);
      try (var client = ServiceClient.open(ClientOptions.of(Naming.fixed(reference)))) {
        Seats stub = client.stub(Seats.class, "seats");
        stub.sell(2);
        first.close(); // the primary is gone
        return stub.sell(3); // the second replica answers; nothing is sold twice
      }
    }
  }
}
