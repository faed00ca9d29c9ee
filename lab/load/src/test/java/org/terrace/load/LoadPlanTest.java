package org.terrace.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.TerraceException;
import org.terrace.load.mix.ThinkTime;

class LoadPlanTest {
  @TempDir Path directory;

  @Test
  void aPlanIsReadBackAsItWasWritten() {
    LoadPlan plan =
        new LoadPlan(
            List.of(URI.create("http://127.0.1.1:8080")),
            LoadPlan.Open.poisson(120.5),
            ThinkTime.RUBBOS,
            Map.of("Search", ThinkTime.parse("const(250ms)")),
            "browse-only",
            new LoadPlan.Phases(
                Duration.ofSeconds(8), Duration.ofMinutes(12), Duration.ofSeconds(30)),
            new LoadPace(
                0.5,
                List.of(
                    new LoadPace.Burst(
                        Duration.ofSeconds(2), Duration.ofNanos(300_000_001), 4, false),
                    new LoadPace.Burst(Duration.ofSeconds(9), Duration.ofMillis(500), 2.5, true))),
            -42,
            List.of("127.0.9.1", "127.0.9.2"),
            LoadPlan.Limits.DEFAULT,
            directory);
    Path file = directory.resolve("plan.json");
    plan.write(file);

    assertThat(LoadPlan.read(file)).isEqualTo(plan);
  }

  @Test
  void aWrongPlanIsRefusedWithFileAndField() throws IOException {
    Path file = directory.resolve("plan.json");
    Files.writeString(file, "{\"targets\": [\"ftp://x\"]}");
    assertThatThrownBy(() -> LoadPlan.read(file))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("plan.json")
        .hasMessageContaining("sourceAddresses");
    assertThatThrownBy(() -> LoadPlan.read(directory.resolve("absent.json")))
        .isInstanceOf(TerraceException.class)
        .hasMessageContaining("absent.json");
    assertThatThrownBy(() -> new LoadPlan.Closed(0)).hasMessageContaining("users");
  }
}
