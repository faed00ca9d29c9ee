package org.terrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;
import org.terrace.fleet.FleetReader;
import org.terrace.fleet.FleetStorage;
import org.terrace.fleet.FleetWriter;
import org.terrace.fleet.GeneratedTrial;
import org.terrace.observation.Observation;
import org.terrace.testing.Await;

/**
 * Processes that export: two the same trial, of which one is ended by SIGKILL while it writes, and
 * one whose locale has no form for the trial's name.
 */
@Tag("real-processes")
@Tag("untimed")
@Tag("long")
class ExportProcessesTest {
  private static final long START = 1_790_000_000_000_000_000L;

  @TempDir Path folder;

  @Test
  void aTrialIsWrittenByOneProcessAndAfterItsEndByTheNext() throws Exception {
    Path fleet = folder.resolve("fleet");
    Observation small = GeneratedTrial.of(1, START, 1_500);
    try (ChildProcess other = exporting(fleet, Endless.class, "C.UTF-8")) {
      assertThat(Await.until(Duration.ofSeconds(90), () -> hasBegun(fleet))).isTrue();

      assertThatThrownBy(() -> FleetWriter.add(fleet, "shop", small, false))
          .isInstanceOf(TerraceException.class)
          .hasMessageContaining("shop is being written by another export");
      FleetWriter.add(fleet, "other", small, false);

      other.process().destroyForcibly().waitFor();
    }
    FleetStorage storage = FleetStorage.of(fleet);
    assertThat(FleetReader.trials(storage)).containsExactly("other");
    FleetWriter.add(fleet, "shop", small, false);

    assertThat(FleetReader.trials(storage)).containsExactly("other", "shop");
    assertThat(FleetReader.trial(storage, "shop").requests()).isEqualTo(7_500);
    assertThat(filesBelow(fleet)).allMatch(path -> path.toString().endsWith(".parquet"));
    assertThat(filesBelow(fleet)).noneMatch(path -> path.toString().contains("/."));
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aNameWithoutAFormInTheLocaleIsRefused() throws Exception {
    Path fleet = folder.resolve("fleet");
    try (ChildProcess process = exporting(fleet, Named.class, "C")) {
      assertThat(process.process().waitFor()).isZero();
    }
    assertThat(Files.readString(folder.resolve("exporting.log")))
        .contains("the locale of this process has no form for a name in it")
        .contains("Set LC_ALL=C.UTF-8");
    assertThat(filesBelow(fleet)).isEmpty();
  }

  private ChildProcess exporting(Path fleet, Class<?> program, String locale) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(JavaCommand.of(List.of("-Xmx512m"), program, fleet.toString()));
    builder.environment().put("LC_ALL", locale);
    builder.redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("exporting.log").toFile());
    return ChildProcess.start(builder);
  }

  /** Writes far longer than the test takes. */
  static final class Endless {
    private Endless() {}

    public static void main(String[] arguments) {
      Observation observation = GeneratedTrial.of(2, START, 400_000);
      while (true) {
        FleetWriter.add(Path.of(arguments[0]), "shop", observation, true);
      }
    }
  }

  /** Writes a trial whose name is not ASCII. */
  static final class Named {
    private Named() {}

    public static void main(String[] arguments) {
      try {
        FleetWriter.add(
            Path.of(arguments[0]), "sh\u00fcp", GeneratedTrial.of(1, START, 1_500), false);
      } catch (TerraceException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  private static boolean hasBegun(Path fleet) {
    return Files.exists(fleet.resolve("connections/.unfinished/trial=shop"));
  }

  private static List<Path> filesBelow(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).map(folder::relativize).toList();
    }
  }
}
