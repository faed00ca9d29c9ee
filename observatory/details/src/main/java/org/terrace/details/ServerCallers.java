package org.terrace.details;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.analysis.finding.Caller;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/** The callers of each server, counted from the requests that ended in a stretch. Stateless. */
final class ServerCallers {
  private ServerCallers() {}

  static Map<String, List<Caller>> of(RequestTable table, long startNanos, long endNanos) {
    int clients = table.servers().indexOf(Server.CLIENTS);
    List<String> callers =
        table.clients().stream()
            .map(name -> table.servers().contains(name) ? name : Server.CLIENTS)
            .toList();
    @Nullable CallerTally[] tallies = new @Nullable CallerTally[table.servers().size()];
    for (int row = 0; row < table.size(); row++) {
      int server = table.server(row);
      if (server != clients) {
        CallerTally tally = tallies[server];
        if (tally == null) {
          tally = new CallerTally(startNanos, endNanos);
          tallies[server] = tally;
        }
        tally.add(
            callers.get(table.client(row)),
            table.arrivalNanos(row),
            table.departureNanos(row),
            table.outcome(row));
      }
    }
    Map<String, List<Caller>> found = new HashMap<>();
    for (int server = 0; server < tallies.length; server++) {
      CallerTally tally = tallies[server];
      if (tally != null) {
        found.put(table.servers().get(server), tally.callers());
      }
    }
    return found;
  }
}
