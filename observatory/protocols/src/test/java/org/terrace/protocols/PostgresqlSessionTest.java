package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Request;
import org.terrace.protocols.captures.Captures;

class PostgresqlSessionTest {
  @Test
  void realPostgresqlSessionHasTheStatementsThatWereRun() {
    List<Request> requests = Captures.read(Captures.resource("pgsql.pcap")).requests();

    assertThat(requests)
        .extracting(Request::requestClass)
        .contains(
            "COPY stories FROM STDIN",
            "UPDATE stories SET title = ? WHERE id = ?",
            "SELECT id, title, body FROM stories WHERE id IN (?) ORDER BY id",
            "CANCEL REQUEST")
        .filteredOn("SELECT id, title, body FROM stories WHERE id = ?"::equals)
        .hasSize(12);
    assertThat(requests)
        .filteredOn(request -> request.requestClass().equals("SELECT pg_sleep(?)"))
        .singleElement()
        .satisfies(request -> assertThat(request.residenceNanos()).isGreaterThan(900_000_000L));
  }
}
