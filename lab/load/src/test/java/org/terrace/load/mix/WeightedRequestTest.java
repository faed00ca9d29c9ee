package org.terrace.load.mix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;

class WeightedRequestTest {
  private static final List<WeightedRequest> REQUESTS =
      List.of(
          new WeightedRequest("look", "GET", "/a", null, Map.of(), 6),
          new WeightedRequest("look", "GET", "/b?c=d", null, Map.of("Accept", "text/plain"), 3),
          new WeightedRequest("change", "PUT", "/e", "für 1 €", Map.of("X-Y", "z"), 1));

  @TempDir Path directory;

  @Test
  void aMixIsReadAsItWasWritten() throws Exception {
    Path mix = directory.resolve("mix.json");
    Files.writeString(mix, Mix.requestsToText("own", REQUESTS));

    assertThat(Mix.read(mix.toString()).requests()).isEqualTo(REQUESTS);
    assertThat(Mix.read(mix.toString()).states()).containsExactly("look", "change");
  }

  @Test
  void classesAndRequestsAreDrawnByTheirWeights() {
    Mix mix = Mix.ofRequests("own", REQUESTS);
    SplittableRandom random = new SplittableRandom(7);
    int draws = 20_000;
    int plain = 0;
    for (int draw = 0; draw < draws; draw++) {
      plain += mix.draw(0, random).path().equals("/a") ? 1 : 0;
    }

    assertThat((double) plain / draws).isBetween(0.65, 0.69);
    assertThat(mix.user().stationary().share("change")).isBetween(0.09, 0.11);
  }

  @Test
  void moreClassesThanAResultHoldsAreRefused() {
    List<WeightedRequest> most = classes(Mix.MAXIMUM_CLASSES);
    assertThat(Mix.ofRequests("own", most).states()).hasSize(Mix.MAXIMUM_CLASSES);

    assertThatThrownBy(() -> Mix.ofRequests("own", classes(Mix.MAXIMUM_CLASSES + 1)))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("'1001 classes' is not valid; expected at most 1000");
  }

  private static List<WeightedRequest> classes(int count) {
    return IntStream.range(0, count)
        .mapToObj(each -> new WeightedRequest("class " + each, "GET", "/", null, Map.of(), 1))
        .toList();
  }

  @Test
  void whatCannotBeSentIsRefused() {
    assertThatThrownBy(() -> new WeightedRequest("x", "GET", "a", null, Map.of(), 1))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("path: 'a' is not valid");
    assertThatThrownBy(() -> new WeightedRequest("x", "GET", "/a\r\nX: y", null, Map.of(), 1))
        .isInstanceOf(TerraceException.class);
    assertThatThrownBy(
            () -> new WeightedRequest("x", "GET", "/", null, Map.of("A", "b\r\nC: d"), 1))
        .isInstanceOf(TerraceException.class);
    assertThatThrownBy(() -> new WeightedRequest("x", "GET", "/", null, Map.of(), 0))
        .isInstanceOf(TerraceException.class);
  }
}
