package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.load.mix.Mix;
import org.terrace.load.mix.WeightedRequest;
import org.terrace.observation.RequestTable;

/** Users who draw requests of one's own by their weights. */
@Tag("real-processes")
@Tag("untimed")
class RequestMixTest {
  private static final List<WeightedRequest> REQUESTS =
      List.of(
          new WeightedRequest("look", "GET", "/a", null, Map.of(), 6),
          new WeightedRequest("look", "GET", "/b?c=d", null, Map.of("Accept", "text/plain"), 3),
          new WeightedRequest("change", "PUT", "/e", "für 1 €", Map.of("X-Y", "z"), 1));

  @TempDir Path directory;

  @Test
  void requestsAreSentAsTheyAreWrittenAndJudgedByTheirStatus() throws Exception {
    Path mix = directory.resolve("mix.json");
    Files.writeString(mix, Mix.requestsToText("own", REQUESTS));
    try (TestSite site = new TestSite(RequestMixTest::answer)) {
      LoadPlan plan = LoadRuns.plan(site.uri(), new LoadPlan.Closed(20), "exp(20ms)", directory);
      LoadResult result = LoadRuns.run(LoadRuns.with(plan, mix.toString()));

      RequestTable requests = result.requests();
      assertThat(requests.requestClasses()).containsExactlyInAnyOrder("look", "change");
      assertThat(requests.size()).isEqualTo(site.received.size()).isGreaterThan(300);
      assertThat(result.failures()).containsOnlyKeys(Failure.NONE, Failure.WRONG_STATUS);
      long changes = count(site, "/e");
      assertThat(result.failures().get(Failure.WRONG_STATUS)).isEqualTo(count(site, "/b?c=d"));
      assertThat((double) changes / requests.size()).isBetween(0.04, 0.18);
      assertThat(site.received)
          .filteredOn(received -> received.target().equals("/e"))
          .allSatisfy(received -> {
            assertThat(received.method()).isEqualTo("PUT");
            assertThat(received.body()).isEqualTo("für 1 €");
            assertThat(received.headers()).containsEntry("x-y", "z").containsEntry("accept", "*/*");
          });
      assertThat(site.received)
          .filteredOn(received -> received.target().startsWith("/b"))
          .allSatisfy(
              received -> assertThat(received.headers()).containsEntry("accept", "text/plain"));
    }
  }

  @Test
  void eachOfManyClassesIsKeptByItsName() throws Exception {
    List<WeightedRequest> requests =
        IntStream.range(0, Mix.MAXIMUM_CLASSES)
            .mapToObj(each -> "/" + each)
            .map(path -> new WeightedRequest("GET " + path, "GET", path, null, Map.of(), 1))
            .toList();
    Path mix = directory.resolve("mix.json");
    Files.writeString(mix, Mix.requestsToText("own", requests));
    try (TestSite site = new TestSite(RequestMixTest::answer)) {
      LoadPlan plan = LoadRuns.plan(site.uri(), new LoadPlan.Closed(20), "exp(20ms)", directory);
      LoadResult result = LoadRuns.run(LoadRuns.with(plan, mix.toString()));

      assertThat(result.requests().requestClasses())
          .hasSizeGreaterThan(200)
          .containsExactlyInAnyOrderElementsOf(
              site.received.stream()
                  .map(received -> "GET " + received.target())
                  .collect(Collectors.toSet()));
    }
  }

  private static long count(TestSite site, String target) {
    return site.received.stream().filter(received -> received.target().equals(target)).count();
  }

  /** Nothing but a status, which is wrong for one of the addresses. */
  private static byte[] answer(TestSite.Received received) {
    String status = received.target().startsWith("/b") ? "503 Busy" : "204 No Content";
    return TestSite.bytes("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n");
  }
}
