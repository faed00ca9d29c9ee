package org.terrace.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.terrace.core.process.ChildProcess;
import org.terrace.core.process.JavaCommand;

@Tag("real-processes")
class LoadBenchTest {
  @Test
  void theTinySiteServesTheBenchmarksUsers() throws Exception {
    ChildProcess site =
        ChildProcess.start(
            new ProcessBuilder(JavaCommand.of(List.of(), TinySite.class, "127.16.1.3"))
                .redirectError(ProcessBuilder.Redirect.INHERIT));
    assertThat(site.awaitReady()).singleElement().asString().matches("\\d+");
    site.process().getOutputStream().close();
    assertThat(site.process().waitFor()).isZero();
  }
}
