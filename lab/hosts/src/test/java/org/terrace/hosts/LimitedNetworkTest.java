package org.terrace.hosts;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The limit of a server's network in a namespace of its own, which a load uses up. */
@Timeout(120)
@Tag("real-processes")
class LimitedNetworkTest extends InNamespaces {
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
}
