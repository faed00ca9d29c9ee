package org.terrace.hosts;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
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

  /** A proof that passes without a queue, or a fault that takes the queue away, would be seen. */
  @Test
  void aLimitOfTheNetworkIsProvedAndOutlivesAFaultOfItsBandwidth() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/tc")), "tc (Debian: iproute2) is missing");
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/nft")), "nft (Debian: nftables) is missing");
    String output = output(LimitedNetworkProgram.class);

    assertThat(output.lines().filter(line -> line.startsWith("without a queue: ")))
        .as(output)
        .singleElement(as(InstanceOfAssertFactories.STRING))
        .contains("the network of the server at 10.0.2.1 cannot be limited here")
        .contains("bytes passed eth0 in")
        .contains("nothing holds them back");
    assertThat(output.lines())
        .contains(
            "limited: done",
            "narrowed for a while: done",
            "limited as before: done",
            "opened again: done");
    List<Double> use =
        output
            .lines()
            .filter(line -> line.startsWith("use "))
            .map(line -> Double.valueOf(line.substring(4)))
            .toList();
    assertThat(use).as(output).hasSizeGreaterThan(4);
    assertThat(use.stream().filter(share -> share > 0.9 && share < 1.1)).hasSizeGreaterThan(3);
  }

  /** The output of a program that runs as root of namespaces of its own. */
  private String output(Class<?> program) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/sbin/ip")), "ip (Debian: iproute2) is missing");
    List<String> words =
        new ArrayList<>(List.of("unshare", "--user", "--map-root-user", "--net", "--"));
    words.addAll(JavaCommand.small(List.of("-Xmx96m"), program, folder.toString()));
    Process process =
        Keeper.ofThisProcess().start(new ProcessBuilder(words).redirectErrorStream(true));
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assumeTrue(!output.contains("unshare failed"), "the kernel refuses namespaces: " + output);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }
}
