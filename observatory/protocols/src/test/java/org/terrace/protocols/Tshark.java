package org.terrace.protocols;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Wireshark's own reader of captures, where it is installed; else the test is skipped. */
final class Tshark {
  /** Servers of the captures that do not serve at their protocol's usual port, or share it. */
  private static final List<String> SPOKEN =
      List.of(
          "3306,mysql",
          "43669,http2",
          "33430,http2",
          "11222,memcache",
          "27017,mongo",
          "9090,thrift",
          "9091,thrift",
          "9000,fcgi");

  private Tshark() {}

  /** The values of fields of every packet, a line each, with tabs between. */
  static List<String> lines(Path directory, String name, byte[] capture, String... fields)
      throws IOException, InterruptedException {
    Assumptions.assumeTrue(
        Arrays.stream(System.getenv("PATH").split(":", -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "tshark"))),
        "tshark is not installed");
    Path file = directory.resolve(name);
    Files.write(file, capture);
    List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString()));
    for (String spoken : SPOKEN) {
      command.addAll(List.of("-d", "tcp.port==" + spoken));
    }
    command.addAll(List.of("-T", "fields"));
    for (String field : fields) {
      command.addAll(List.of("-e", field));
    }
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return output.lines().toList();
  }
}
