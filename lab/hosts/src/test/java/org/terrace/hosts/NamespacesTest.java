package org.terrace.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.terrace.core.process.JavaCommand;
import org.terrace.core.process.Keeper;

/** Servers in network namespaces of their own, as an ordinary user's and as root's. */
@Timeout(120)
@Tag("real-processes")
class NamespacesTest {
  @TempDir private Path folder;

  @Test
  void serversMeetOnTheBridgeWhichSeesEveryPacketOnce() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/ip")), "ip (Debian: iproute2) is missing");
    List<String> words =
        new ArrayList<>(List.of("unshare", "--user", "--map-root-user", "--net", "--"));
    words.addAll(JavaCommand.small(List.of("-Xmx96m"), NamespacesProgram.class, folder.toString()));
    Process process =
        Keeper.ofThisProcess().start(new ProcessBuilder(words).redirectErrorStream(true));
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assumeTrue(!output.contains("unshare failed"), "the kernel refuses namespaces: " + output);
    assertThat(process.waitFor()).as(output).isZero();

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
