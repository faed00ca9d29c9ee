package org.terrace.dashboard.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.testing.Seeds;

/** Names lead downwards, and nowhere else. */
class ServedDirectoryTest {
  @TempDir Path folder;

  private ServedDirectory served() throws IOException {
    Files.createDirectories(folder.resolve("served/a/b"));
    Files.createDirectories(folder.resolve("served/.hidden/b"));
    Files.createDirectories(folder.resolve("beside"));
    Files.writeString(folder.resolve("served/a/file"), "");
    return ServedDirectory.open(folder.resolve("served"));
  }

  @Test
  void namesLeadDownwards() throws IOException {
    ServedDirectory served = served();

    assertThat(served.find(List.of())).map(ResultPlace::directory).contains(served.root());
    assertThat(served.find(List.of("a", "b")).orElseThrow().name()).isEqualTo("a/b");
    assertThat(served.find(List.of("a", "file"))).isEmpty();
    assertThat(served.find(List.of("none"))).isEmpty();
    for (String name :
        List.of(
            "..", ".", "", "/", "a/b", "/etc", "a\\b", ".hidden", "a\0", "a\n", "b".repeat(300))) {
      assertThat(served.find(List.of(name))).as(name).isEmpty();
      assertThat(served.find(List.of("a", name, "b"))).as(name).isEmpty();
    }
  }

  @Test
  void aFileIsOneOfThePlaceItself() throws IOException {
    ServedDirectory served = served();
    Path beside = Files.writeString(folder.resolve("beside/file"), "");
    ResultPlace place = served.find(List.of("a")).orElseThrow();

    assertThat(ServedDirectory.file(place, "file")).contains(place.directory().resolve("file"));
    for (String name :
        List.of(beside.toString(), "../../beside/file", "../a/file", "./file", "b/../file", "")) {
      assertThat(ServedDirectory.file(place, name)).as(name).isEmpty();
    }
  }

  @Test
  void linksLeadNowhereAndAResultThatHoldsOneIsNotThere() throws IOException {
    ServedDirectory served = served();
    Files.createSymbolicLink(folder.resolve("served/link"), folder.resolve("beside"));
    Files.createSymbolicLink(folder.resolve("served/a/within"), folder.resolve("served/a/b"));
    Files.createSymbolicLink(
        folder.resolve("served/a/b/requests.parquet"), folder.resolve("served/a/file"));

    assertThat(served.find(List.of("link"))).isEmpty();
    assertThat(served.find(List.of("a", "within"))).isEmpty();
    assertThat(served.find(List.of("a", "b"))).isEmpty();
    assertThat(served.find(List.of("a"))).isPresent();
  }

  @Test
  void theDirectoryItselfMayBeNamedByALink() throws IOException {
    served();
    Path link = Files.createSymbolicLink(folder.resolve("latest"), folder.resolve("served"));

    assertThat(ServedDirectory.open(link).find(List.of("a", "b"))).isPresent();
    assertThatThrownBy(() -> ServedDirectory.open(folder.resolve("none")))
        .hasMessageContaining("none: there is no such directory");
    assertThatThrownBy(() -> ServedDirectory.open(folder.resolve("served/a/file")))
        .hasMessageContaining("it is no directory");
  }

  @Test
  void whateverIsFoundIsWithin() throws IOException {
    ServedDirectory served = served();
    Files.createSymbolicLink(folder.resolve("served/a/up"), folder);
    RandomGenerator random = Seeds.generator(Seeds.next("ServedDirectoryTest.within"));
    List<String> words =
        List.of("a", "b", "..", ".", "", "up", "served", "beside", "/", "a/..", "file");
    for (int round = 0; round < 5_000; round++) {
      List<String> segments =
          random.ints(1 + random.nextInt(4), 0, words.size()).mapToObj(words::get).toList();
      served
          .find(segments)
          .ifPresent(place ->
              assertThat(place.directory().normalize())
                  .isEqualTo(place.directory())
                  .startsWith(served.root()));
    }
  }
}
