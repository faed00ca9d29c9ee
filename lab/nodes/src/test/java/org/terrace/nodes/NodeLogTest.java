package org.terrace.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeLogTest {
  @TempDir Path directory;
  private final List<String> heard = new ArrayList<>();

  private static InputStream printed(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  /** A process whose output nobody reads any more ends by its next line. */
  @Test
  void aListenerThatFailsStopsNeitherTheReadingNorTheOthersAndIsToldOnce() {
    NodeLog log = new NodeLog(directory.resolve("app1.log"));
    log.listen(line -> {
      if (line.contains("bad")) {
        throw new NumberFormatException("no number: " + line);
      }
    });
    log.listen(line -> {
      throw new AssertionError("never works");
    });
    log.listen(heard::add);

    log.pump(printed("one\nbad two\nbad three\nfour\n"));

    assertThat(heard).containsExactly("one", "bad two", "bad three", "four");
    assertThat(log.file())
        .content()
        .containsOnlyOnce("no number: bad two")
        .doesNotContain("no number: bad three")
        .containsOnlyOnce("never works")
        .contains("one\n", "\nbad two\n", "\nbad three\n", "\nfour\n");
    assertThat(log.tail()).contains("a reader of this log failed", "four");
  }

  @Test
  void aFileThatCannotBeWrittenStopsNoReading() {
    for (Path file : List.of(directory.resolve("none/app1.log"), Path.of("/dev/full"))) {
      heard.clear();
      NodeLog log = new NodeLog(file);
      log.listen(heard::add);

      log.pump(printed("one\ntwo\nthree\n"));

      assertThat(heard).containsExactly("one", "two", "three");
      assertThat(log.tail())
          .containsOnlyOnce("the log " + file + " could not be written")
          .contains("three");
      assertThat(log.refusal().orElseThrow())
          .startsWith("the log " + file + " could not be written");
    }
  }
}
