package org.terrace.details;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.terrace.analysis.finding.ClassResponses;
import org.terrace.observation.RequestTable;
import org.terrace.observation.Server;

/** The response times of each class of each server. Stateless. */
final class ServerResponses {
  private ServerResponses() {}

  /**
   * Those of the users first, from the moment at which a request was to be sent; then those of the
   * servers, from its arrival, in the given order.
   */
  static List<ClassResponses> of(
      RequestTable table, List<String> servers, long startNanos, long endNanos) {
    List<ResponseTally> tallies =
        table.servers().stream().map(_ -> new ResponseTally(startNanos, endNanos)).toList();
    int clients = table.servers().indexOf(Server.CLIENTS);
    for (int row = 0; row < table.size(); row++) {
      int server = table.server(row);
      tallies
          .get(server)
          .add(
              table.requestClasses().get(table.requestClass(row)),
              server == clients ? table.intendedNanos(row) : table.arrivalNanos(row),
              table.departureNanos(row),
              table.outcome(row));
    }
    List<ClassResponses> responses = new ArrayList<>();
    Stream.concat(Stream.of(Server.CLIENTS), servers.stream())
        .filter(table.servers()::contains)
        .forEach(
            name -> responses.addAll(tallies.get(table.servers().indexOf(name)).classes(name)));
    return responses;
  }
}
