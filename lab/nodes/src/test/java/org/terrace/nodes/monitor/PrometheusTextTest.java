package org.terrace.nodes.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.terrace.nodes.setting.PrometheusText;
import org.terrace.nodes.setting.PrometheusText.Figure;
import org.terrace.observation.Sample;

class PrometheusTextTest {
  private static final String TEXT =
      """
      # HELP http_requests_total The total number of requests.
      # TYPE http_requests_total counter
      http_requests_total{method="post",code="200"} 1027 1395066363000
      http_requests_total{ method = "post" , code="400", } 3
      path_total{path="C:\\\\DIR\\\\\\"x\\"",error="a}b c"} 1.458255915e9
      up 1
      nothing +Inf
      unknown NaN
      this is no figure
      bad{label} x
      """;

  @Test
  void linesAreFiguresWithLabels() {
    List<Figure> figures = PrometheusText.parse(TEXT);

    assertThat(figures.subList(0, 5))
        .containsExactly(
            new Figure("http_requests_total", Map.of("method", "post", "code", "200"), 1_027),
            new Figure("http_requests_total", Map.of("method", "post", "code", "400"), 3),
            new Figure(
                "path_total", Map.of("path", "C:\\DIR\\\"x\"", "error", "a}b c"), 1_458_255_915),
            new Figure("up", Map.of(), 1),
            new Figure("nothing", Map.of(), Double.POSITIVE_INFINITY));
    assertThat(figures.get(5).value()).isNaN();
    assertThat(figures).extracting(Figure::name).doesNotContain("this");
  }

  @Test
  void anEscapedBackslashBeforeAnNIsNoNewLine() {
    assertThat(PrometheusText.parse("path{of=\"C:\\\\new\\nline\"} 1\n"))
        .containsExactly(new Figure("path", Map.of("of", "C:\\new\nline"), 1));
  }

  @Test
  void anExemplarIsPassedOver() {
    assertThat(PrometheusText.parse("took{le=\"1\"} 3 17.5 # {trace=\"x\"} 0.5 17\n"))
        .containsExactly(new Figure("took", Map.of("le", "1"), 3));
    assertThat(PrometheusText.parse("took{le=\"2\"} 4 # {trace=\"x\"} 0.5\n"))
        .containsExactly(new Figure("took", Map.of("le", "2"), 4));
  }

  @Test
  void aPoolIsASharePerServer() {
    String metrics =
        """
        terrace_pool_in_use{pool="threads"} 25
        terrace_pool_size{pool="threads"} 100
        terrace_pool_in_use{pool="connections"} 20
        terrace_pool_size{pool="connections"} 20
        terrace_pool_in_use{pool="endless"} 7
        terrace_pool_size{pool="none"} 0
        """;

    assertThat(PoolMonitor.shares("app1", 5, metrics))
        .containsExactly(
            new Sample("app1", "pool-threads", 5, 0.25),
            new Sample("app1", "pool-connections", 5, 1));
  }
}
