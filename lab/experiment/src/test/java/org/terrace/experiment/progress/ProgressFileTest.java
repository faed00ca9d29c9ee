package org.terrace.experiment.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.observation.Event;
import org.terrace.testing.ManualTimeSource;

/** The progress that a command writes is the progress that others read. */
class ProgressFileTest {
  private static final String SECOND =
      "{\"second\":1,\"phase\":\"run\",\"users\":40,\"requestsPerSecond\":12.5,\"errors\":3,"
          + "\"p50Micros\":900,\"p99Micros\":4200}";

  @TempDir Path directory;
  private final List<String> warnings = new ArrayList<>();

  private ProgressFile begin(long mostBytes) {
    return ProgressFile.begin(
        directory, "mesh", "small", new ManualTimeSource(1_000), warnings::add, mostBytes);
  }

  @Test
  void whatIsToldIsReadAsItComes() {
    ProgressFile file = begin(ProgressFile.MOST_BYTES);
    ProgressReader reader = new ProgressReader(directory);
    RunProgress first = reader.poll().orElseThrow();
    assertThat(first.kind()).isEqualTo("mesh");
    assertThat(first.seconds()).isEmpty();

    file.trial(2, 12, "1/1/0/1, 40 users, repeat 1", 1);
    file.phase("running the load");
    file.figures(SECOND);
    file.fault(new Event("app1", "fault-kill", 5, 9, Map.of()));
    file.warning("no limit");
    file.message("calibrated");
    file.trialEnded("1/1/0/1, 40 users", "");
    RunProgress second = reader.poll().orElseThrow();

    assertThat(second.trial())
        .isEqualTo(new RunProgress.CurrentTrial(2, 12, "1/1/0/1, 40 users, repeat 1", 1));
    assertThat(second.phase()).isEqualTo("running the load");
    assertThat(second.last().orElseThrow())
        .extracting("phase", "users", "requestsPerSecond", "errors", "p50Micros", "p99Micros")
        .containsExactly("run", 40L, 12.5, 3L, 900.0, 4200.0);
    assertThat(second.faults()).containsExactly(new Event("app1", "fault-kill", 5, 9, Map.of()));
    assertThat(second.warnings()).containsExactly("no limit");
    assertThat(second.messages()).containsExactly("calibrated");
    assertThat(second.ended()).containsExactly(new RunProgress.EndedTrial("1/1/0/1, 40 users", ""));
    assertThat(second.isRunning()).isTrue();
    file.end();
    assertThat(reader.poll().orElseThrow().isRunning()).isFalse();
    assertThat(ProgressReader.of(directory)).contains(reader.poll().orElseThrow());
    assertThat(warnings).isEmpty();
  }

  @Test
  void aLineThatIsHalfThereIsReadWhenItIsWhole() throws IOException {
    begin(ProgressFile.MOST_BYTES);
    Path path = directory.resolve(ProgressFile.NAME);
    ProgressReader reader = new ProgressReader(directory);
    String line = "{\"event\":\"phase\",\"atNanos\":7,\"text\":\"größer\"}\n";
    for (byte each : line.getBytes(StandardCharsets.UTF_8)) {
      assertThat(reader.poll().orElseThrow().phase()).isEmpty();
      Files.write(path, new byte[] {each}, StandardOpenOption.APPEND);
    }

    assertThat(reader.poll().orElseThrow().phase()).isEqualTo("größer");
  }

  @Test
  void theFileIsBoundedAndBeginsAnewWithTheTrialUnderWay() throws IOException {
    ProgressFile file = begin(4_000);
    ProgressReader reader = new ProgressReader(directory);
    file.trial(1, 2, "first", 1);
    for (int i = 0; i < 500; i++) {
      file.figures(SECOND);
      if (i % 3 == 0) {
        assertThat(reader.poll().orElseThrow().trial()).isNotNull();
      }
    }

    assertThat(Files.size(directory.resolve(ProgressFile.NAME))).isLessThan(4_500);
    assertThat(reader.poll().orElseThrow().seconds()).isNotEmpty();
    assertThat(reader.poll().orElseThrow().trial())
        .isEqualTo(new RunProgress.CurrentTrial(1, 2, "first", 1));
  }

  @Test
  void whatIsToldOnceOutlivesABeginningAnewAndTheLoadIsCountedWhole() throws IOException {
    ManualTimeSource time = new ManualTimeSource(1_000);
    ProgressFile file = ProgressFile.begin(directory, "mesh", "soak", time, warnings::add, 20_000);
    ProgressReader reader = new ProgressReader(directory);
    file.fault(new Event("web1", "fault-kill", 5, 9, Map.of()));
    file.trialEnded("an earlier one", "it failed");
    file.trial(1, 2, "first", 1);
    file.phase("running the load");
    file.warning("no limit");
    file.message("long ".repeat(1_000));
    file.fault(new Event("app1", "fault-kill", 5, 9, Map.of()));
    long begun = 0;
    int seconds = RunProgress.MOST_SECONDS + 100;
    for (int i = 0; i < seconds; i++) {
      time.advanceNanos(1_000_000_000);
      begun = i == 0 ? time.epochNanos() : begun;
      file.figures(SECOND);
      RunProgress now = reader.poll().orElseThrow();
      assertThat(now.load()).isEqualTo(new RunProgress.LoadSoFar(begun, 3L * (i + 1)));
    }

    RunProgress last = ProgressReader.of(directory).orElseThrow();
    assertThat(last).isEqualTo(reader.poll().orElseThrow());
    assertThat(last.seconds()).hasSizeBetween(1, 200);
    assertThat(last.trial()).isEqualTo(new RunProgress.CurrentTrial(1, 2, "first", 1));
    assertThat(last.phase()).isEqualTo("running the load");
    assertThat(last.warnings()).containsExactly("no limit");
    assertThat(last.messages()).singleElement().asString().hasSizeLessThan(600).endsWith(" …");
    assertThat(last.faults()).containsExactly(new Event("app1", "fault-kill", 5, 9, Map.of()));
    assertThat(last.ended())
        .containsExactly(new RunProgress.EndedTrial("an earlier one", "it failed"));
    file.trial(2, 2, "second", 1);
    assertThat(reader.poll().orElseThrow().load()).isEqualTo(new RunProgress.LoadSoFar(0, 0));
  }

  @Test
  void theFileIsBoundedThoughMuchIsToldOnce() throws IOException {
    ProgressFile file = begin(4_000);
    for (int i = 0; i < 3 * RunProgress.MOST_LINES; i++) {
      file.warning("w".repeat(1_000) + i);
      file.trialEnded("a trial " + i, "f".repeat(1_000));
    }

    long most = RunProgress.MOST_LINES * 2L * 620;
    assertThat(Files.size(directory.resolve(ProgressFile.NAME))).isLessThan(2 * most + 4_000);
    RunProgress read = ProgressReader.of(directory).orElseThrow();
    assertThat(read.warnings()).hasSize(RunProgress.MOST_LINES);
    assertThat(read.ended()).hasSize(RunProgress.MOST_LINES);
    assertThat(read.ended().getLast().label())
        .isEqualTo("a trial " + (3 * RunProgress.MOST_LINES - 1));
  }

  @Test
  void longTextsAreCutAndReadInParts() throws IOException {
    ProgressFile file = begin(ProgressFile.MOST_BYTES);
    file.message("m".repeat(100_000));
    ProgressReader reader = new ProgressReader(directory);
    long size = Files.size(directory.resolve(ProgressFile.NAME));

    assertThat(reader.unread()).isEqualTo(size);
    assertThat(reader.poll(size / 2).orElseThrow().messages()).isEmpty();
    RunProgress whole = reader.poll(reader.unread()).orElseThrow();

    assertThat(whole.messages()).singleElement().asString().hasSizeLessThan(1_000).endsWith("…");
    assertThat(whole.lineBytes()).isLessThan(2_000);
    assertThat(reader.unread()).isZero();
  }

  @Test
  void damagedLinesAndLinksAreNoProgress() throws IOException {
    assertThat(ProgressReader.of(directory)).isEmpty();
    Path path = directory.resolve(ProgressFile.NAME);
    Files.writeString(path, "no JSON\n{\"event\":\"phase\"}\n[1,2]\n{\"event\":\"figures\"}\n\n");
    assertThat(ProgressReader.of(directory)).isEmpty();
    ProgressFile file = begin(ProgressFile.MOST_BYTES);
    Files.writeString(
        path,
        "}{\n{\"event\":\"fault\",\"startNanos\":9,\"endNanos\":1}\n",
        StandardOpenOption.APPEND);
    file.figures("no JSON either");
    assertThat(ProgressReader.of(directory).orElseThrow().messages())
        .containsExactly("no JSON either");

    Path other = Files.createDirectory(directory.resolve("other"));
    Files.createSymbolicLink(other.resolve(ProgressFile.NAME), path);
    assertThatThrownBy(() -> ProgressReader.of(other)).hasMessageContaining("cannot be read");
  }

  @Test
  void aProcessThatIsGoneDoesNotRun() throws IOException {
    begin(ProgressFile.MOST_BYTES);
    Path path = directory.resolve(ProgressFile.NAME);
    RunProgress own = ProgressReader.of(directory).orElseThrow();
    assertThat(own.isRunning()).isTrue();
    String text = Files.readString(path);

    Files.writeString(
        path, text.replaceAll("\"processStartMillis\":\\d+", "\"processStartMillis\":1"));
    assertThat(ProgressReader.of(directory).orElseThrow().isRunning()).isFalse();
    Files.writeString(path, text.replaceAll("\"process\":\\d+", "\"process\":999999999"));
    assertThat(ProgressReader.of(directory).orElseThrow().isRunning()).isFalse();
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsToldOnceAndStopsNothing() {
    ProgressFile file =
        ProgressFile.begin(
            directory.resolve("none"), "study", "s", new ManualTimeSource(0), warnings::add);
    file.phase("one");
    file.end();

    assertThat(warnings).hasSize(1).first().asString().contains("progress");
  }
}
