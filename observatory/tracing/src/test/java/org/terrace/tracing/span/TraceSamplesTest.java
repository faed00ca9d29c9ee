package org.terrace.tracing.span;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.terrace.observation.Outcome;
import org.terrace.observation.Request;
import org.terrace.observation.RequestTable;
import org.terrace.observation.TraceContext;

/** Samples after the published descriptions of the formats: the same three requests in each. */
class TraceSamplesTest {
  @Test
  void openTelemetrysSpansBecomeTheRequestsOfTheirServers() {
    RequestTable table = read("otlp.json").requests();

    assertShop(table, "GET /cart", "GET /api/cart", "SELECT cart");
    assertThat(table.arrivalNanos(0)).isEqualTo(1544712660000000001L);
    assertThat(table.departureNanos(0)).isEqualTo(1544712661000000009L);
    assertThat(table.request(0).client()).isEqualTo("10.0.0.9");
    assertThat(trace(table.request(0)).span()).isEqualTo(0xeee19b7ec3c1b174L);
    assertThat(trace(table.request(0)).transaction()).isEqualTo(0xd269b633813fc60cL);
  }

  @Test
  void zipkinsServerSharesTheIdentifierOfItsClient() {
    TraceReadResult read = read("zipkin.json");

    assertShop(read.requests(), "get /cart", "get /api/cart", "select cart");
    assertThat(read.requests().request(0).client()).isEqualTo("10.0.0.9");
    assertThat(read.requests().arrivalNanos(0)).isEqualTo(1458702548467000_000L);
    assertThat(read.notes())
        .containsExactly("1 spans have no identifier, start or end, and are left out.");
  }

  @Test
  void jaegersServicesAreNamedBehindTheSpans() {
    RequestTable table = read("jaeger.json").requests();

    assertShop(table, "GET /cart", "GET /api/cart", "SELECT cart");
    assertThat(table.request(2).residenceNanos()).isZero();
  }

  private static void assertShop(RequestTable table, String web, String shop, String select) {
    assertThat(table.size()).isEqualTo(3);
    Request first = table.request(0);
    Request second = table.request(1);
    Request third = table.request(2);
    assertThat(List.of(first.server(), second.server(), third.server()))
        .containsExactly("web", "shop", "postgresql");
    assertThat(List.of(first.requestClass(), second.requestClass(), third.requestClass()))
        .containsExactly(web, shop, select);
    assertThat(List.of(first.outcome(), second.outcome(), third.outcome()))
        .containsExactly(Outcome.OK, Outcome.ERROR, Outcome.OK);
    assertThat(second.client()).isEqualTo("web");
    assertThat(third.client()).isEqualTo("shop");
    assertThat(trace(first).parent()).isEqualTo(TraceContext.NO_PARENT);
    assertThat(trace(second).parent()).isEqualTo(trace(first).span());
    assertThat(trace(third).parent()).isEqualTo(trace(second).span());
    assertThat(trace(third).transaction()).isEqualTo(trace(first).transaction());
    assertThat(trace(third).source()).isEqualTo("trace");
    assertThat(trace(third).confidence()).isEqualTo(1);
  }

  private static TraceContext trace(Request request) {
    return Objects.requireNonNull(request.trace());
  }

  private static TraceReadResult read(String name) {
    return TraceFiles.read(
        List.of(Path.of("src/test/resources/org/terrace/tracing/span").resolve(name)));
  }
}
