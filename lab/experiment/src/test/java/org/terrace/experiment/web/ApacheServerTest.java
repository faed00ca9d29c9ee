package org.terrace.experiment.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@Tag("real-processes")
@Tag("untimed")
class ApacheServerTest {
  private static final String PROGRAM = "/usr/sbin/apache2";

  @TempDir private Path folder;

  /** The configuration is for a host whose modules nobody here has seen. */
  @Test
  void aConfigurationLoadsEveryModuleThatIsNotBuiltInWhereverItIsRead() throws Exception {
    String text =
        ApacheServer.configuration(
            "web1", "127.41.1.1", 8080, List.of("app1=127.41.2.1:8080"), folder);

    assertThat(text).contains("<IfModule !proxy_http_module>\n  LoadModule proxy_http_module ");
    assumeTrue(Files.isExecutable(Path.of(PROGRAM)), "apache2-bin is not installed");
    Path file = Files.writeString(folder.resolve("web1.conf"), text);
    Process check =
        new ProcessBuilder(PROGRAM, "-t", "-f", file.toString()).redirectErrorStream(true).start();
    check.getOutputStream().close();
    String said = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(check.waitFor()).as(said).isZero();
    assertThat(said).contains("Syntax OK");
  }
}
