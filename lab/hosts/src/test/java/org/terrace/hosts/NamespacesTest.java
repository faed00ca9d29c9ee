package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers in network namespaces of their own, as an ordinary user's and as root's. */
@Timeout(120)
@Tag("real-processes")
@Tag("untimed")
class NamespacesTest extends InNamespaces {
  @Test
  void serversMeetOnTheBridgeWhichSeesEveryPacketOnce() throws Exception {
    String output = output(NamespacesProgram.class);

    assertThat(output.lines().filter("HTTP/1.1 200 OK"::equals))
        .as(output)
        .hasSize(NamespacesProgram.REQUESTS);
    assertThat(
            output
                .lines()
                .filter(line -> line.startsWith("network "))
                .map(line -> line.substring(13)))
        .hasSize(3)
        .doesNotHaveDuplicates();
    byte[] capture = Files.readAllBytes(folder.resolve("capture.pcapng"));
    assertThat(OpeningPackets.to(capture, "10.0.1.1", 8080)).isEqualTo(NamespacesProgram.REQUESTS);
    assertThat(OpeningPackets.to(capture, "10.0.2.1", 8080)).isEqualTo(NamespacesProgram.REQUESTS);
  }
}
