package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.terrace.load.TestSite.Received;
import org.terrace.load.mix.Mix;
import org.terrace.load.mix.WeightedRequest;

/** Requests of one's own that are answered by a redirect within the service. */
@Tag("real-processes")
@Tag("untimed")
class RedirectTest {
  private static final Map<String, String> HEADERS =
      Map.of(
          "Authorization", "Bearer x",
          "X-Own", "y",
          "Content-Type", "application/json",
          "Content-Language", "de");

  @TempDir Path directory;

  /** The requests that came where a redirect led to, each of which is answered by 204. */
  private List<Received> redirected(String method, int status) throws Exception {
    Path mix = directory.resolve("mix.json");
    String body = method.equals("GET") ? null : "{\"id\": 7}";
    WeightedRequest request = new WeightedRequest("own", method, "/old?a=b", body, HEADERS, 1);
    Files.writeString(mix, Mix.requestsToText("own", List.of(request)));
    try (TestSite site = new TestSite(received -> answer(received, status))) {
      LoadPlan plan = LoadRuns.plan(site.uri(), new LoadPlan.Closed(2), "exp(20ms)", directory);
      LoadPlan brief = LoadRuns.with(plan, LoadRuns.phases(0, 200, 10_000), plan.limits());
      LoadResult result = LoadRuns.run(LoadRuns.with(brief, mix.toString()));
      assertThat(result.failures()).containsOnlyKeys(Failure.NONE);
      List<Received> arrived =
          site.received.stream().filter(received -> received.target().equals("/new?c=d")).toList();
      assertThat(arrived).hasSize(result.requests().size());
      return arrived;
    }
  }

  private static byte[] answer(Received received, int status) {
    return TestSite.bytes(
        received.target().equals("/old?a=b")
            ? "HTTP/1.1 " + status + " Moved\r\nLocation: /new?c=d\r\nContent-Length: 0\r\n\r\n"
            : "HTTP/1.1 204 No Content\r\n\r\n");
  }

  @ParameterizedTest
  @CsvSource({"307, POST", "308, POST", "307, PUT", "308, DELETE", "301, PUT", "302, PATCH"})
  void aRedirectThatKeepsTheMethodKeepsAllOfTheRequest(int status, String method) throws Exception {
    assertThat(redirected(method, status))
        .isNotEmpty()
        .allSatisfy(received -> {
          assertThat(received.method()).isEqualTo(method);
          assertThat(received.body()).isEqualTo("{\"id\": 7}");
          assertThat(received.headers())
              .containsEntry("authorization", "Bearer x")
              .containsEntry("x-own", "y")
              .containsEntry("content-type", "application/json")
              .containsEntry("content-language", "de");
        });
  }

  @ParameterizedTest
  @CsvSource({"301, POST", "302, POST", "303, POST", "303, PUT"})
  void aRedirectToAPageGetsItWithTheHeadersThatSpeakOfNoBody(int status, String method)
      throws Exception {
    assertThat(redirected(method, status))
        .isNotEmpty()
        .allSatisfy(received -> {
          assertThat(received.method()).isEqualTo("GET");
          assertThat(received.body()).isEmpty();
          assertThat(received.headers())
              .containsEntry("authorization", "Bearer x")
              .containsEntry("x-own", "y")
              .containsEntry("accept", "*/*")
              .doesNotContainKeys("content-type", "content-language", "content-length");
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void aRequestForAPageKeepsItsHeaders(int status) throws Exception {
    assertThat(redirected("GET", status))
        .isNotEmpty()
        .allSatisfy(received -> {
          assertThat(received.method()).isEqualTo("GET");
          assertThat(received.headers()).containsEntry("authorization", "Bearer x");
        });
  }
}
